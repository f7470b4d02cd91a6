import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { errno } from "./errno.ts";

/**
 * A living process. The start time tells it from a later process of the same number: two values are equal
 * or not, and mean nothing else.
 */
export interface RunningProcess {
  readonly pid: number;
  readonly startTime: string;
  /** The words it was started with (or the title it gave itself), joined by one space. */
  readonly commandLine: string;
}

/** Where the system keeps its list of processes: `/proc` on Linux, the answers of `ps` elsewhere. */
export interface ProcessTable {
  /** The process of this number. A zombie has ended and only waits to be noticed, so it is not found. */
  find(pid: number): Promise<RunningProcess | undefined>;
  list(): Promise<readonly Pick<RunningProcess, "pid" | "commandLine">[]>;
}

export const processes: ProcessTable = process.platform === "linux" ? procTable() : psTable();

/** Whether this very process, not another one of the same number, is alive. */
export async function isRunning({ pid, startTime }: Omit<RunningProcess, "commandLine">) {
  return (await processes.find(pid))?.startTime === startTime;
}

/** The table of Linux. Exported for its test; everything else uses `processes`. */
export function procTable(): ProcessTable {
  return {
    async find(pid) {
      const [stat, commandLine, bootId] = await Promise.all([
        readProc(`${pid}/stat`),
        readProc(`${pid}/cmdline`),
        readProc("sys/kernel/random/boot_id"),
      ]);
      if (stat === undefined || commandLine === undefined) return undefined;

      // The second field, the program's name, may hold spaces and brackets: count from its end.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const state = fields[0];
      const startTicks = fields[19];
      if (state === "Z" || state === "X") return undefined;
      // Ticks count from the boot, so the same tick of another boot is another time.
      return { pid, startTime: `${bootId?.trim()}/${startTicks}`, commandLine: words(commandLine) };
    },

    async list() {
      const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
      return Promise.all(
        pids.map(async (pid) => ({
          pid,
          commandLine: words((await readProc(`${pid}/cmdline`)) ?? ""),
        })),
      );
    },
  };
}

/** The table of macOS. It works on Linux too, which is where its test runs. */
export function psTable(): ProcessTable {
  return {
    async find(pid) {
      const line = await ps("-ww", "-o", "stat=,lstart=,command=", "-p", String(pid));
      // S+   Tue Nov 21 11:10:06 2026 /usr/bin/postgres -D ...
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
    // ESRCH: the process ended between open and read. EACCES: a system that hides strangers' processes.
    if (["ENOENT", "ESRCH", "EACCES"].includes(errno(thrown) ?? "")) return undefined;
    throw thrown;
  }
}

function words(commandLine: string): string {
  return commandLine.replaceAll("\0", " ").trim();
}

/** `ps` ends with status 1 when it finds nothing, which is an answer like any other. */
async function ps(...args: string[]): Promise<string> {
  const options = { env: { LC_ALL: "C" }, maxBuffer: 16 * 1024 * 1024 };
  return promisify(execFile)("/bin/ps", args, options).then(
    ({ stdout }) => stdout,
    (failed: { code?: unknown }) => {
      if (failed.code === 1) return "";
      throw failed;
    },
  );
}
