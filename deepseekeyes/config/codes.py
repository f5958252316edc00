"""Failure codes of the configuration."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

CONFIG_ERROR = Code("CONFIG_ERROR", "input", "Run `deepseekeyes config validate` to see every problem at once.")
CONFIG_SYNTAX = Code(
    "CONFIG_SYNTAX", "input", "Correct the line; `deepseekeyes config validate {path}` checks the file again."
)
CONFIG_UNREADABLE = Code(
    "CONFIG_UNREADABLE", "input", "Check the path and its permissions; `deepseekeyes config path` lists the files."
)
CONFIG_NOT_FOUND = Code(
    "CONFIG_NOT_FOUND", "input", "Check the path after `--config`, or run `deepseekeyes config init`."
)
CONFIG_ENCODING = Code("CONFIG_ENCODING", "input", "Save the file as UTF-8 and try again.")
CONFIG_TOO_LARGE = Code(
    "CONFIG_TOO_LARGE", "input", "Keep only settings in the file; longer documents belong in files of their own."
)
CONFIG_UNKNOWN_KEY = Code(
    "CONFIG_UNKNOWN_KEY", "input", "Compare with `deepseekeyes config show`, or read `deepseekeyes config schema`."
)
CONFIG_VALUE = Code("CONFIG_VALUE", "input", "See the accepted values with `deepseekeyes config schema`.")
CONFIG_SECRET_LITERAL = Code(
    "CONFIG_SECRET_LITERAL",
    "input",
    'Put the secret into an environment variable and write `{ env = "NAME" }` in its place.',
)
CONFIG_ENV_UNKNOWN = Code(
    "CONFIG_ENV_UNKNOWN", "input", "Unset the variable or correct its name; `deepseekeyes config show` lists them."
)
CONFIG_ENV_RENAMED = Code("CONFIG_ENV_RENAMED", "input", "Set {new} instead and unset {old}.")
CONFIG_RENAMED_KEY = Code("CONFIG_RENAMED_KEY", "input", "Write `{new}` instead of `{old}`.")
CONFIG_UNTRUSTED = Code(
    "CONFIG_UNTRUSTED",
    "policy",
    "Read the file, then run `deepseekeyes config trust` to accept it exactly as it is now.",
)
CONFIG_EXISTS = Code("CONFIG_EXISTS", "input", "Add `--force` to replace it; the old file is kept beside it.")
CONFIG_NO_FOLDER_FILE = Code(
    "CONFIG_NO_FOLDER_FILE", "input", "Run the command in the folder that holds the file, or name the file."
)
CONFIG_SETTING_UNKNOWN = Code("CONFIG_SETTING_UNKNOWN", "input", "List all settings with `deepseekeyes config show`.")
CONFIG_NOT_WRITTEN = Code(
    "CONFIG_NOT_WRITTEN", "input", "Check free space and permissions of the home; `deepseekeyes doctor` shows both."
)
