import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const REQUIREMENTS = fileURLToPath(new URL("moto-requirements.txt", import.meta.url));
const FOLDER = fileURLToPath(
  new URL("../../node_modules/.cache/purser/moto-5.2.5", import.meta.url),
);
/** The packages come over the network once; the server itself starts in seconds. */
const INSTALL_MAX_MS = 300_000;
const START_MAX_MS = 60_000;

export interface TestMoto {
  /** Where every service of AWS that moto plays is reached. */
  readonly url: string;
  /** Credentials that it takes as it takes all others. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  stop(): Promise<void>;
}

/**
 * Two test files may ask for it at once, so whoever is second waits for the first one's lock. A folder without `ready` is
 * one that was not finished, and is made again.
 */
const INSTALL = `
import fcntl, os, subprocess, sys, venv
folder, requirements = sys.argv[1:]
ready = os.path.join(folder, "ready")
with open(folder + ".lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not os.path.exists(ready):
        venv.create(folder, with_pip=True, clear=True)
        python = os.path.join(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
        open(ready, "w").close()
`;

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
 * A server of its own for a test file that answers as AWS does, from memory. It is Python's moto, kept in a cache of the
 * checkout. Where it cannot be had it says so and is `skipped`; in CI that is an error, so that these tests are never
 * skipped there unseen.
 */
export async function startMoto(): Promise<TestMoto | { readonly skipped: string }> {
  try {
    await install();
  } catch (error) {
    const skipped = `moto cannot be installed: ${error instanceof Error ? error.message : error}`;
    if (process.env["CI"] === "true") throw new Error(`Tests against AWS cannot run: ${skipped}`);
    process.stderr.write(`Skipping the tests against AWS: ${skipped}\n`);
    return { skipped };
  }
  const server = spawn(join(FOLDER, "bin", "python"), ["-c", SERVE], {
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

async function install(): Promise<void> {
  await mkdir(join(FOLDER, ".."), { recursive: true });
  const installer = spawn("python3", ["-c", INSTALL, FOLDER, REQUIREMENTS], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: INSTALL_MAX_MS,
  });
  let words = "";
  installer.stderr.on("data", (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-300);
  });
  // Rejects where there is no python3 at all.
  const [code] = await once(installer, "close");
  if (code !== 0) throw new Error(words.trim().split("\n").at(-1) ?? `exit code ${code}`);
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
