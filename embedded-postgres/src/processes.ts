import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { errno } from "./errno.ts";

/**
 * A running process. The start time distinguishes it from a later process with the same pid. The format of the start
 * time depends on the system, so only compare it.
 */
export interface RunningProcess {
  readonly pid: number;
  readonly startTime: string;
  /** The process's arguments joined by spaces, or the title that it has set. */
  readonly commandLine: string;
}

/** Reads the process list from `/proc` on Linux and from `ps` on other systems. */
export interface ProcessTable {
  /** Returns the process with this pid, or undefined if there is none. A zombie counts as exited. */
  find(pid: number): Promise<RunningProcess | undefined>;
  list(): Promise<readonly Pick<RunningProcess, "pid" | "commandLine">[]>;
}

export const processes: ProcessTable = process.platform === "linux" ? procTable() : psTable();

/** Returns true if this process is still running. Another process with the same pid does not count. */
export async function isRunning({ pid, startTime }: Omit<RunningProcess, "commandLine">) {
  return (await processes.find(pid))?.startTime === startTime;
}

/** The Linux process table. Exported for its test. Use `processes` instead. */
export function procTable(): ProcessTable {
  return {
    async find(pid) {
      const [stat, commandLine, bootId] = await Promise.all([
        readProc(`${pid}/stat`),
        readProc(`${pid}/cmdline`),
        readProc("sys/kernel/random/boot_id"),
      ]);
      if (stat === undefined || commandLine === undefined) return undefined;

      // The second field, the program's name, can contain spaces and parentheses, so fields are counted after its end.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const state = fields[0];
      const startTicks = fields[19];
      if (state === "Z" || state === "X") return undefined;
      // `startTicks` counts from the system's boot, so another process can have the same value after a reboot. The boot
      // ID distinguishes the two processes.
      return {
        pid,
        startTime: `${bootId?.trim()}/${startTicks}`,
        commandLine: joinArguments(commandLine),
      };
    },

    async list() {
      const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
      return Promise.all(
        pids.map(async (pid) => ({
          pid,
          commandLine: joinArguments((await readProc(`${pid}/cmdline`)) ?? ""),
        })),
      );
    },
  };
}

/** The macOS process table. It also works on Linux, where its test runs. */
export function psTable(): ProcessTable {
  return {
    async find(pid) {
      const line = await ps("-ww", "-o", "stat=,lstart=,command=", "-p", String(pid));
      // Example: S+   Tue Nov 21 11:10:06 2026 /usr/bin/postgres -D ...
      const match = /^\s*(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)/.exec(line);
      const [, state, startTime, commandLine] = match ?? [];
      if (state === undefined || startTime === undefined || state.startsWith("Z")) return undefined;
      return { pid, startTime, commandLine: commandLine?.trim() ?? "" };
    },

    async list() {
      const lines = (await ps("-axww", "-o", "pid=,command=")).split("\n");
      return lines.flatMap((line) => {
        const [, pid, commandLine] = /^\s*(\d+)\s+(.*)/.exec(line) ?? [];
        return pid && commandLine ? [{ pid: Number(pid), commandLine: commandLine.trim() }] : [];
      });
    },
  };
}

async function readProc(path: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${path}`, "utf8");
  } catch (thrown) {
    // ESRCH means that the process exited between open and read. EACCES means that the system hides other users'
    // processes.
    if (["ENOENT", "ESRCH", "EACCES"].includes(errno(thrown) ?? "")) return undefined;
    throw thrown;
  }
}

function joinArguments(commandLine: string): string {
  return commandLine.replaceAll("\0", " ").trim();
}

/** `ps` exits with status 1 if it finds no process, which is not an error. */
async function ps(...args: string[]): Promise<string> {
  const options = { env: { LC_ALL: "C" }, maxBuffer: 16 * 1024 * 1024 };
  return promisify(execFile)("/bin/ps", args, options).then(
    ({ stdout }) => stdout,
    (error: { code?: unknown }) => {
      if (error.code === 1) return "";
      throw error;
    },
  );
}
