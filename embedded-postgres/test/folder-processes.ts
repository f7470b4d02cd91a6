import { poll } from "../src/poll.ts";
import { processes } from "../src/processes.ts";

/** A server stopped with SIGSTOP ends its processes only after some seconds. */
const ENDED_MAX_MS = 20_000;

export interface FolderProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Every process whose command line names a folder. */
export async function processesOf(folder: string): Promise<readonly FolderProcess[]> {
  return (await processes.list()).filter(({ commandLine }) => commandLine.includes(folder));
}

export function isPostmaster({ commandLine }: FolderProcess): boolean {
  return commandLine.includes("bin/postgres -D ");
}

/** Ends every process whose command line names a folder. Throws when one is left. */
export async function endProcessesOf(folder: string): Promise<void> {
  const found = await processesOf(folder);
  // PostgreSQL last: the process that owns it would start it again.
  for (const { pid } of found.filter((each) => !isPostmaster(each))) signal(pid, "SIGKILL");
  for (const { pid } of (await processesOf(folder)).filter(isPostmaster)) {
    // Not SIGKILL, which would leave the server's other processes.
    signal(pid, "SIGQUIT");
    signal(pid, "SIGCONT");
  }
  const ended = await poll(
    ENDED_MAX_MS,
    async () => (await processesOf(folder)).length === 0 || undefined,
  );
  if (!ended) throw new Error(`A process of ${folder} does not end.`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
