"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """Something could not be done. ``hint`` says what to do about it, where that is known."""

    def __init__(self, message: str, hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[type[Error], tuple[str, Optional[str]]]:
        return type(self), (self.message, self.hint)


class UsageError(Error, ValueError):
    """The call was wrong."""


class ConfigError(Error, ValueError):
    """A setting was wrong."""


class InputError(Error, ValueError):
    """An input cannot be read."""


class RemoteError(Error, ConnectionError):
    """A service did not do what was asked."""


class StoreError(Error):
    """The store did not do what was asked."""


class GuardError(Error):
    """A guard stopped the run before anything was written."""


class CancelledError(Error):
    """The work was stopped."""


class BugError(Error, RuntimeError):
    """A mistake in gristmill: please report it with the call and its input."""


class GristmillWarning(UserWarning):
    """Something that did not stop the work and is worth a look."""
