"""The literal command table: what exists, where its code is, and one line about it. Nothing here imports a command."""

from __future__ import annotations

from typing import Final, NamedTuple


class Command(NamedTuple):
    """A command: the module that holds it and its line in the listing."""

    module: str
    summary: str


class Group(NamedTuple):
    """A group: its line in the listing, its first example, and its commands (or further groups)."""

    summary: str
    example: str
    commands: dict[str, Command | Group]


def _here(group: str, **summaries: str) -> dict[str, Command | Group]:
    return {
        name.rstrip("_").replace("_", "-"): Command(f"deepseekeyes.cli.{group}.{name}", summary)
        for name, summary in summaries.items()
    }


ROOT: Final = Group(
    summary="Auditable eyes and hands for text-only reasoning models.",
    example="deepseekeyes vision read screenshot.png",
    commands={
        "vision": Group(
            "Pictures into validated evidence, and answers from it.",
            "deepseekeyes vision read screenshot.png --json | jq -r '.evidence.ocr[].text'",
            {
                **_here(
                    "vision",
                    read="Read pictures into evidence records.",
                    look="Ask one precise question back to the original pixels.",
                    ask="Answer a question about pictures from evidence.",
                    batch="Read many pictures at a time: a folder, a pattern or a list.",
                    eval_="Measure how well an eye reads pictures with known truth.",
                    show="Draw evidence over its picture, as PNG or a self-contained HTML page.",
                    validate="Select, repair and validate model output, or re-check a record.",
                    schema="Print the evidence contract as JSON Schema.",
                    routes="List the eyes, their order and why.",
                    attempts="List what was tried on which route, newest first.",
                ),
                "cache": Group(
                    "Stored evidence records.",
                    "deepseekeyes vision cache list",
                    _here(
                        "vision.cache",
                        list_="List stored records.",
                        get="Print one stored record.",
                        verify="Re-check stored records: digest, schema, hashes, boxes.",
                        prune="Remove old records, and blobs that nothing refers to.",
                    ),
                ),
            },
        ),
        "probe": Group(
            "Proof that an eye sees: pictures with a known truth.",
            "deepseekeyes probe run --all",
            _here(
                "probe",
                run="Prove that routes see, and store the verdicts.",
                challenge="Draw a picture with a known truth.",
                grade="Judge an answer to a challenge.",
                show="List stored verdicts, or forget one.",
            ),
        ),
        "mcp": Group(
            "Other people's tools behind policy: MCP servers, their tools, resources and prompts.",
            "deepseekeyes mcp tools",
            _here(
                "mcp",
                add="Write a server into the configuration.",
                remove="Take a server out of the configuration.",
                import_="Take over the servers that another program is configured with.",
                allow="Allow or deny tools, resources and prompts of a server.",
                servers="List the configured servers and what is known about them.",
                test="Connect to a server anew and report how it went.",
                refresh="Ask a server for its tools again.",
                reconnect="End a server's connection and open a new one.",
                tools="List the tools a model may be shown, and why others are not.",
                approve="See how a tool's definition changed, and accept it.",
                call="Call one tool.",
                resources="List resources and resource templates.",
                read="Read one resource.",
                prompts="List prompts and their arguments.",
                prompt="Fetch one prompt.",
                runs="List runs, show one, or forget it.",
                audit="Print the last calls as digests and codes.",
                artifacts="List whole results that were kept, or print one.",
                lint="Run a server through a client's hostile checklist.",
                serve="Serve our operations as MCP tools to any host.",
            ),
        ),
        "browser": Group(
            "A page under guard: look, act on what was seen, and prove what came of it.",
            "deepseekeyes browser open https://example.org/ --enable",
            _here(
                "browser",
                open_="Open an address; the first call starts the browser.",
                observe="Look at the active page: text, controls, dialogs, screenshot.",
                click="Click one control, if a pointer would really meet it.",
                type_="Replace the text of a field, and read it back.",
                press="Press a key or chord.",
                select="Choose options of a native select.",
                check="Tick a checkbox, choose a radio button, turn a switch on.",
                uncheck="Clear a checkbox, turn a switch off.",
                hover="Move the pointer onto a control.",
                drag="Drag a control onto another, or by an offset.",
                scroll="Turn the wheel over a control or the page.",
                upload="Hand files to a file field.",
                wait="Wait until something is so.",
                assert_="Say whether a claim about the page holds.",
                dialog="Answer the dialog that is open.",
                pages="List the pages, switch to one, or close one.",
                back="Go one entry of the history back.",
                forward="Go one entry of the history forward.",
                reload="Load the page anew.",
                screenshot="Take a picture of the viewport.",
                report="Write the run so far, or check a stored run again.",
                sessions="List live sessions, or end one by force.",
                run="Run a script of steps in one process.",
                close="End a session.",
            ),
        ),
        "desktop": Group(
            "Native windows under guard: look, act on what was seen, and prove what came of it.",
            "deepseekeyes desktop observe --app mousepad --enable",
            _here(
                "desktop",
                observe="Look at the desktop, or at one window with its elements.",
                windows="List the windows, front first.",
                click="Click an element or a point, if the click would really reach it.",
                double_click="Click an element or a point twice.",
                right_click="Click with the right button.",
                move="Put the pointer onto an element or a point.",
                drag="Drag from an element or point to another.",
                type_="Type into one field that is proven to have the focus.",
                set_value="Replace the text of a field or the number of a slider.",
                invoke="Do what an element is there for.",
                perform="Carry out an action that an element offers, by name.",
                key="Press a key or chord.",
                scroll="Turn the wheel, or scroll an element into view.",
                launch="Start an allowed program.",
                focus="Bring a window to the front.",
                move_window="Move a window.",
                resize_window="Give a window's content a size.",
                close_window="Ask a window to close.",
                wait="Wait until something is so.",
                assert_="Say whether a claim about a window or element holds.",
                screenshot="Take a picture of a window or of the desktop.",
                report="Write the run so far, or check a stored run again.",
                sessions="List the sessions of this home.",
                run="Run a script of steps in one process.",
                close="End a session, or all at once.",
            ),
        ),
        "usage": Group(
            "What was spent: tokens, estimates apart, and money where prices are known.",
            "deepseekeyes usage show --by route",
            _here(
                "usage",
                show="Sum up what was spent.",
                sessions="List the recent sessions with their sums.",
                export="Print totals and single calls.",
                import_="Add statistics that were counted elsewhere.",
                reset="Remove all usage and begin anew.",
            ),
        ),
        "config": Group(
            "Settings: where they come from and what they are.",
            "deepseekeyes config show vision",
            _here(
                "config",
                show="Print every setting with its origin.",
                path="Print the files that are consulted.",
                validate="Check a configuration file.",
                schema="Print the configuration's JSON Schema.",
                init="Write a commented starter configuration.",
                trust="Accept the working folder's configuration as it is now.",
            ),
        ),
        "doctor": Command("deepseekeyes.cli.doctor", "Check what works here, and what to type where it does not."),
    },
)
