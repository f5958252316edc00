"""What is left alone whatever anybody asks for: denied programs, lock screens, password managers, a stopping hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.codes import DESKTOP_ABORTED, DESKTOP_APPLICATION_DENIED, DESKTOP_LAUNCH_DENIED
from deepseekeyes.desktop.ports import Monitor, Window
from deepseekeyes.desktop.settings import DesktopSettings

LOCKS: Final = frozenset(
    {
        "gnome-screensaver", "gnome-screensaver-dialog", "kscreenlocker", "kscreenlocker_greet", "i3lock", "xlock",
        "xscreensaver", "xscreensaver-auth", "light-locker", "lightdm-gtk-greeter", "slock", "swaylock", "xsecurelock",
        "cinnamon-screensaver", "mate-screensaver", "loginwindow", "screensaverengine", "lockapp", "logonui",
        "xfce4-screensaver", "xfce4-screensaver-dialog", "i3lock-color", "swaylock-effects", "hyprlock", "gtklock",
        "waylock", "physlock", "betterlockscreen", "xtrlock",
    }
)  # fmt: skip
KEEPERS: Final = frozenset(
    {
        "keepassxc", "keepassx", "keepass", "keepass2", "bitwarden", "1password", "lastpass", "dashlane", "enpass",
        "secrets", "org.gnome.world.secrets", "kwalletmanager", "kwalletmanager5", "kwalletd", "seahorse",
        "gcr-prompter", "pinentry", "pinentry-gtk-2", "pinentry-qt", "pinentry-gnome3", "polkit-gnome-authentication",
        "polkit-kde-authentication-agent-1", "lxpolkit", "keychain access", "securityagent", "credentialuibroker",
        "consent", "protonpass", "proton pass", "proton-pass", "nordpass", "polkit-gnome-authentication-agent-1",
        "lxqt-policykit-agent", "mate-polkit", "polkit-mate-authentication-agent-1", "xfce-polkit", "gopass-ui",
        "qtpass", "buttercup", "goldwarden", "keeweb", "passwordsafe", "pwsafe", "ksshaskpass", "ssh-askpass",
        "gnome-ssh-askpass", "kwalletmanager6", "roboform",
    }
)  # fmt: skip
CORNER_PX: Final = 3


def denied(app: str, settings: DesktopSettings) -> str | None:
    """Why the windows of a program are left alone, as the end of a sentence; None when they are not."""
    name = plain(app)
    called = {name, *name.split(".")[-2:]} if name.count(".") >= 2 else {name}
    if called & LOCKS:
        return "is a lock screen"
    if called & KEEPERS:
        return "keeps passwords"
    if any(plain(entry) == name for entry in settings.deny):
        return "is denied by desktop.deny"
    return None


def check_app(app: str, settings: DesktopSettings, *, acting: bool = True) -> None:
    """Refuse a program's windows.

    Args:
        acting: False for a look, which `desktop.apps` does not restrict.

    Raises:
        EyesError: DESKTOP_APPLICATION_DENIED.
    """
    reason = denied(app, settings)
    if reason is None and acting and settings.apps and plain(app) not in {plain(entry) for entry in settings.apps}:
        reason = "is not among desktop.apps"
    if reason is not None:
        raise EyesError(
            DESKTOP_APPLICATION_DENIED, f"{app[:60] or 'This program'} {reason}.", details={"dispatched": "no"}
        )


def check_unlocked(windows: Iterable[Window]) -> None:
    """Refuse everything while a lock screen is up.

    Raises:
        EyesError: DESKTOP_APPLICATION_DENIED.
    """
    if any(window.viewable and plain(window.app) in LOCKS for window in windows):
        raise EyesError(DESKTOP_APPLICATION_DENIED, "The screen is locked.", details={"dispatched": "no"})


def check_launch(program: str, settings: DesktopSettings, *, allow: bool) -> None:
    """Refuse to launch what nobody allowed.

    Args:
        allow: whether the person at the command line allowed it for this once.

    Raises:
        EyesError: DESKTOP_LAUNCH_DENIED, DESKTOP_APPLICATION_DENIED.
    """
    check_app(program, settings, acting=False)
    if allow or plain(program) in {plain(entry) for entry in settings.allow}:
        return
    name = plain(program)
    raise EyesError(
        DESKTOP_LAUNCH_DENIED,
        f"{name[:60]} is not among the programs that may be launched.",
        details={"dispatched": "no"},
        fix=f'Allow it once with --allow-launch, or for good: allow = ["{name[:60]}"] under [desktop].',
    )


def check_corner(
    pointer: tuple[float, float] | None,
    monitors: Sequence[Monitor],
    settings: DesktopSettings,
    ours: Sequence[float] | None,
) -> None:
    """Refuse while a person holds the pointer in the stopping corner.

    Args:
        ours: where our own last action left the pointer; that does not count.

    Raises:
        EyesError: DESKTOP_ABORTED.
    """
    if settings.abort_corner == "off" or not monitors or pointer is None:
        return
    if ours is not None and abs(ours[0] - pointer[0]) <= 1 and abs(ours[1] - pointer[1]) <= 1:
        return
    if any(_in_corner(pointer, one.bounds, settings.abort_corner) for one in monitors if one.primary or one.index == 1):
        raise EyesError(
            DESKTOP_ABORTED,
            "Somebody holds the pointer in the stopping corner.",
            details={"dispatched": "no"},
            corner=settings.abort_corner,
        )


def plain(app: str) -> str:
    """A program's name without folder, ending and case."""
    name = app.strip().casefold()
    name = PureWindowsPath(name).name if "\\" in name else PurePosixPath(name).name or name
    return name.removesuffix(".exe").removesuffix(".app").removesuffix(".desktop")


def _in_corner(pointer: tuple[float, float], bounds: Box, corner: str) -> bool:
    x = bounds.x if corner.endswith("left") else bounds.right - 1
    y = bounds.y if corner.startswith("top") else bounds.bottom - 1
    return abs(pointer[0] - x) < CORNER_PX and abs(pointer[1] - y) < CORNER_PX
