import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { preparePython } from "../python-packages.ts";

/** The server starts in seconds. */
const START_MAX_MS = 60_000;

export interface TestMoto {
  /** Where every service of AWS that moto plays is reached. */
  readonly url: string;
  /** Credentials that it takes as it takes all others. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  stop(): Promise<void>;
}

/** Ends with its standard input, which is this process's to hold: so it outlives no test run, however that one ends. */
const SERVE = `
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
`;

/**
 * A server for one test file that answers as AWS does, from memory: moto, a Python package.
 */
export async function startMoto(): Promise<TestMoto | { readonly skipped: string }> {
  const prepared = await preparePython({
    name: "moto-5.2.5",
    requirements: new URL("moto-requirements.txt", import.meta.url),
  });
  if ("skipped" in prepared) return prepared;
  const server = spawn(prepared.python, ["-c", SERVE], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const port = await firstLine(server);
  return {
    url: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    region: "us-east-1",
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
    },
  };
}

async function firstLine(server: ChildProcess): Promise<string> {
  const late = AbortSignal.timeout(START_MAX_MS);
  try {
    const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
    const gone = once(server, "exit", { signal: late }).then(() => {
      throw new Error("moto ended before it served.");
    });
    const [line] = await Promise.race([once(lines, "line", { signal: late }), gone]);
    return String(line);
  } catch (error) {
    server.kill("SIGKILL");
    throw error;
  }
}
