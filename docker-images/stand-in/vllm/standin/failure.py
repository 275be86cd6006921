"""How a rank's start fails."""


class Failure(Exception):
    """Ends the rank: `text` is the last lines of the traceback, `code` the exit code."""

    def __init__(self, text: str, code: int = 1, role: str = "APIServer"):
        super().__init__(text)
        self.text, self.code, self.role = text, code, role
