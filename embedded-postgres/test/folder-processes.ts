import { poll } from "../src/poll.ts";
import { processes } from "../src/processes.ts";

/** The time limit is high, because a server that was paused with SIGSTOP takes several seconds to exit. */
const EXIT_TIMEOUT_MS = 20_000;

export interface FolderProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Returns every process whose command line contains the folder. */
export async function findProcessesUsing(folder: string): Promise<readonly FolderProcess[]> {
  return (await processes.list()).filter(({ commandLine }) => commandLine.includes(folder));
}

export function isPostmaster({ commandLine }: FolderProcess): boolean {
  return commandLine.includes("bin/postgres -D ");
}

/** Ends every process whose command line contains the folder. Throws if one does not exit. */
export async function endProcessesUsing(folder: string): Promise<void> {
  const found = await findProcessesUsing(folder);
  // The server's owner is ended before the server, because the owner would restart it.
  for (const { pid } of found.filter((each) => !isPostmaster(each))) signal(pid, "SIGKILL");
  for (const { pid } of (await findProcessesUsing(folder)).filter(isPostmaster)) {
    // SIGKILL would leave the server's child processes running.
    signal(pid, "SIGQUIT");
    signal(pid, "SIGCONT");
  }
  const ended = await poll(EXIT_TIMEOUT_MS, async () => (await findProcessesUsing(folder)).length === 0 || undefined);
  if (!ended) throw new Error(`A process that uses ${folder} did not exit.`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already exited.
  }
}
