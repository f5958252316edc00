"""AT-SPI's numbers as words: roles and states, in the order of its enumerations (`atspi-constants.h`)."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ROLES: tuple[str, ...] = _words(
    """
    invalid accelerator_label alert animation arrow calendar canvas check_box check_menu_item color_chooser
    column_header combo_box date_editor desktop_icon desktop_frame dial dialog directory_pane drawing_area file_chooser
    filler focus_traversable font_chooser frame glass_pane html_container icon image internal_frame label
    layered_pane list list_item menu menu_bar menu_item option_pane page_tab page_tab_list panel
    password_text popup_menu progress_bar push_button radio_button radio_menu_item root_pane row_header scroll_bar
    scroll_pane separator slider spin_button split_pane status_bar table table_cell table_column_header
    table_row_header tearoff_menu_item terminal text toggle_button tool_bar tool_tip tree tree_table unknown
    viewport window extended header footer paragraph ruler application autocomplete editbar
    embedded entry chart caption document_frame heading page section redundant_object form
    link input_method_window table_row tree_item document_spreadsheet document_presentation document_text document_web
    document_email comment list_box grouping image_map notification info_bar level_bar title_bar block_quote
    audio video definition article landmark log marquee math rating timer
    static math_fraction math_root subscript superscript description_list description_term description_value footnote
    content_deletion content_insertion mark suggestion push_button_menu
    """
)
STATES: tuple[str, ...] = _words(
    """
    invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused
    has_tooltip horizontal iconified modal multi_line multiselectable opaque pressed resizable selectable selected
    sensitive showing single_line stale transient vertical visible manages_descendants indeterminate required truncated
    animated invalid_entry supports_autocompletion selectable_text is_default visited checkable has_popup read_only
    """
)
CONTAINERS = frozenset(
    _words("""
    frame window filler panel root_pane layered_pane scroll_pane viewport redundant_object unknown invalid section
    grouping split_pane internal_frame glass_pane option_pane form landmark embedded application title_bar
    document_frame document_web extended
    """)
)
TEXTS = frozenset(
    _words("""
    text entry password_text terminal paragraph editbar autocomplete document_text document_email spin_button
    date_editor heading comment static block_quote article section
    """)
)
RANGES = frozenset({"slider", "spin_button", "progress_bar", "scroll_bar", "dial", "level_bar", "split_pane", "rating"})
PROTECTED = frozenset({"password_text"})
NATURAL = ("click", "press", "activate", "jump", "toggle", "open", "select")


def role_name(number: int) -> str:
    """The word for a role; `unknown` for one that is newer than this table."""
    return ROLES[number] if 0 <= number < len(ROLES) else "unknown"


def state_names(words: tuple[int, ...] | list[int]) -> frozenset[str]:
    """The states that are set in two 32-bit words."""
    bits = sum((int(word) & 0xFFFFFFFF) << (32 * index) for index, word in enumerate(words))
    return frozenset(name for index, name in enumerate(STATES) if bits >> index & 1)
