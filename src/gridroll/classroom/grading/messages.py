"""Messages between the two processes: a length and one JSON object."""

import json
import socket
import struct
import time
from typing import Any

LONGEST = 16 * 2**20  # bytes of a message; read as JSON it may need forty times as much


class MessageError(ValueError):
    """What came is no message of ours."""


def send(channel: socket.socket, message: dict[str, Any]) -> None:
    """Write one message: its length in eight bytes, and its text."""
    text = json.dumps(message, allow_nan=False).encode()
    channel.sendall(struct.pack("!Q", len(text)) + text)


def receive(channel: socket.socket, seconds: float | None = None) -> dict[str, Any]:
    """Read one message.

    Raises:
        EOFError: the other side has closed.
        MessageError: it is too long, or no JSON object.
        TimeoutError: it wasn't there, whole, after so many seconds.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    (length,) = struct.unpack("!Q", _exactly(channel, 8, deadline))
    if length > LONGEST:
        raise MessageError(f"a message of {length} bytes; at most {LONGEST} are read")
    try:
        message = json.loads(_exactly(channel, length, deadline))
    except (ValueError, RecursionError) as error:
        raise MessageError("no JSON") from error
    if type(message) is not dict:
        raise MessageError("no JSON object")
    return message


def _exactly(channel: socket.socket, count: int, deadline: float | None) -> bytes:
    parts = []
    while count:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            channel.settimeout(left)
        part = channel.recv(min(count, 2**20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
