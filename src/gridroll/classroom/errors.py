"""The error of a person at the keyboard, kept apart from the errors of the program."""


class UserError(Exception):
    """Something that the user can mend. Its text is one line that says what came and what to do.

    The command line prints the line and ends with exit code 2. It never shows a traceback.
    """
