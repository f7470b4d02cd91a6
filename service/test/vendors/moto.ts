import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { preparePython } from "../python/python-packages.ts";

/** The maximum time for starting moto. A start usually takes a few seconds. */
const START_MAX_MS = 60_000;

export interface TestMoto {
  /** The URL for all AWS services. */
  readonly url: string;
  /** Moto accepts any credentials. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  stop(): Promise<void>;
}

/** The script that runs moto. It ends when its standard input closes, so it never outlives this process. */
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
 * Starts moto, a Python package that simulates AWS in memory, for one test file. Returns `skipped` if it cannot be
 * installed.
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
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    },
  };
}

async function firstLine(server: ChildProcess): Promise<string> {
  const timeout = AbortSignal.timeout(START_MAX_MS);
  try {
    const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
    const exited = once(server, "exit", { signal: timeout }).then(() => {
      throw new Error("moto exited before it was ready.");
    });
    const [line] = await Promise.race([once(lines, "line", { signal: timeout }), exited]);
    return String(line);
  } catch (error) {
    server.kill("SIGKILL");
    throw error;
  }
}
