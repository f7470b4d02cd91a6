"""Makes a replica for Patroni: copies the data folder of the primary, which is on the same machine.

The packaged PostgreSQL has no pg_basebackup. Patroni passes --datadir and --connstring, among others.
"""

import argparse
import os
import shutil

import psycopg

# The contents of these folders are not copied: the replica gets the WAL from the primary and creates the rest.
EMPTY = {"pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"}
LEFT_OUT = {"postmaster.pid", "postmaster.opts", "standby.signal", "backup_label", "pg_internal.init"}


def copy_folder(source, target):
    for folder, folders, files in os.walk(source):
        relative = os.path.relpath(folder, source)
        os.makedirs(os.path.join(target, relative), mode=0o700, exist_ok=True)
        if relative in EMPTY:
            folders.clear()
            continue
        for name in set(files) - LEFT_OUT:
            try:
                shutil.copyfile(os.path.join(folder, name), os.path.join(target, relative, name))
            except FileNotFoundError:
                pass  # The primary has removed it. What follows from this is in the WAL.


parser = argparse.ArgumentParser()
parser.add_argument("--datadir", required=True)
parser.add_argument("--connstring", required=True)
arguments, _ = parser.parse_known_args()

with psycopg.connect(arguments.connstring, dbname="postgres", autocommit=True) as primary:
    source = primary.execute("show data_directory").fetchone()[0]
    primary.execute("select pg_backup_start('replica', true)")
    copy_folder(source, arguments.datadir)
    label = primary.execute("select labelfile from pg_backup_stop(false)").fetchone()[0]

os.makedirs(os.path.join(arguments.datadir, "pg_wal", "archive_status"), exist_ok=True)
with open(os.path.join(arguments.datadir, "backup_label"), "w") as file:
    file.write(label)
