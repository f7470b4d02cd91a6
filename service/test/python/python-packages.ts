import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/purser", import.meta.url));
/** The first installation downloads the packages, which can take minutes. */
const INSTALL_MAX_MS = 300_000;

/**
 * A Python script that creates a virtual environment and installs packages. It writes the file `ready` last, and does
 * nothing if that file exists. A file lock prevents two test files from installing at the same time.
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
        # Python compiles a module on its first import. Most of these modules are never imported.
        options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        subprocess.run([python, "-m", "pip", "install", *options, "-r", requirements], check=True)
        open(ready, "w").close()
`;

/**
 * Creates a Python environment with pinned packages in `node_modules/.cache`, unless it already exists. If the
 * installation fails, prints the reason and returns it as `skipped`. In CI it throws instead, so that no test is
 * skipped there.
 */
export async function preparePython({
  name,
  requirements,
}: {
  /** The main package and its version, for example `moto-5.2.5`. Also the name of the environment's folder. */
  readonly name: string;
  readonly requirements: URL;
}): Promise<{ readonly python: string } | { readonly skipped: string }> {
  const folder = join(CACHE, name);
  try {
    await mkdir(CACHE, { recursive: true });
    await install(folder, fileURLToPath(requirements));
  } catch (error) {
    const skipped = `${name} cannot be installed: ${error instanceof Error ? error.message : error}`;
    if (process.env["CI"] === "true") throw new Error(`Tests cannot run: ${skipped}`);
    process.stderr.write(`Skipping tests: ${skipped}\n`);
    return { skipped };
  }
  return { python: join(folder, "bin", "python") };
}

async function install(folder: string, requirements: string): Promise<void> {
  const installer = spawn("python3", ["-c", INSTALL, folder, requirements], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: INSTALL_MAX_MS,
  });
  let output = "";
  installer.stderr.on("data", (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-300);
  });
  // If `python3` is not installed, the promise of `once` is rejected.
  const [code] = await once(installer, "close");
  if (code !== 0) throw new Error(output.trim().split("\n").at(-1) ?? `exit code ${code}`);
}
