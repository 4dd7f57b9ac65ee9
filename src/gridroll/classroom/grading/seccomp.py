"""Calls of the kernel that no student's code has a use for, refused by a filter of bubblewrap's.

Three aims. Nothing may outlive an exercise: System V and POSIX queues, shared memory and keyrings
belong to no process, so killing every process would leave them; and a keyring is the instructor's
own. No memory may escape being counted: files in memory alone are in no process. And the kernel
shows as little of itself as it can: no tracing, no mounts, no new namespaces, no programs in it.

The filter is a program of the kernel's classic BPF, see seccomp(2): eight bytes an instruction.
"""

import platform
import struct

# On x86-64 and on AArch64, from the kernel's own tables.
_REFUSED = {
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_by_handle_at": (304, 265),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "personality": (135, 92),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NAMESPACES = 0x7E020000  # the flags of clone(2) that make one
_X32 = 0x40000000  # calls of a second table, which x86-64 kernels may have

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where seccomp_data holds them
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38


def program(machine: str = "") -> bytes:
    """The filter for a machine, this one by default; b"" where its numbers aren't known."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return b""
    column, architecture = known
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
        # The C library falls back to clone(2), whose flags can be read.
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
    ]
    for numbers in _REFUSED.values():
        lines += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    lines += [
        (_EQUAL, 0, 3, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NAMESPACES),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
