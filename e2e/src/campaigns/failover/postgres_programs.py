"""The programs pg_isready and pg_controldata, as far as Patroni needs them. The packaged PostgreSQL 18 lacks them."""

import argparse
import os
import struct
import sys

import psycopg

# The states of a cluster, in the order of the enumeration DBState.
STATES = "starting up,shut down,shut down in recovery,shutting down,in crash recovery,in archive recovery,in production"


def is_ready():
    parser = argparse.ArgumentParser(add_help=False)
    for name in ("-h", "-p", "-d", "-U"):
        parser.add_argument(name)
    target = parser.parse_args()
    try:
        psycopg.connect(host=target.h, port=target.p, dbname=target.d, user=target.U, connect_timeout=3).close()
        return 0
    except psycopg.OperationalError as error:
        message = str(error)
    if "password" in message:
        return 0  # It asks for one.
    return 1 if "starting up" in message or "shutting down" in message else 2


def print_control_data(data_folder):
    """Prints fields of ControlFileData of PostgreSQL 18 (src/include/catalog/pg_control.h)."""
    with open(os.path.join(data_folder, "global", "pg_control"), "rb") as file:
        system, version, _, state, checkpoint, timeline = struct.unpack("<QIIi12xQ8xI", file.read(52))
        file.seek(136)
        ending, ending_timeline = struct.unpack("<QI", file.read(12))
    if version != 1800:
        raise SystemExit(f"pg_control has the version {version}, not 1800.")
    print("Database system identifier:", system)
    print("Database cluster state:", STATES.split(",")[state])
    print(f"Latest checkpoint location: {checkpoint >> 32:X}/{checkpoint & 0xFFFFFFFF:X}")
    print("Latest checkpoint's TimeLineID:", timeline)
    print(f"Minimum recovery ending location: {ending >> 32:X}/{ending & 0xFFFFFFFF:X}")
    print("Min recovery ending loc's timeline:", ending_timeline)


if sys.argv.pop(1) == "pg_isready":
    sys.exit(is_ready())
print_control_data(sys.argv[-1])
