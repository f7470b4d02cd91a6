import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { PYTHON_ENVIRONMENT, PYTHON_REQUIREMENTS, PYTHON_SDK, pythonOfSdk } from "./python-sdk.ts";

/**
 * `npm run check:python`: checks the Python SDK's format and types, runs its tests against a server that it starts, builds
 * the wheel, installs it into a new environment, and runs the first call and the first payment of the SDK's README there.
 */
const ROOT = path.join(import.meta.dirname, "..");
const START_MAX_MS = 120_000;

/** The line that `npm start -- --json` prints. */
interface StartLine {
  readonly base_url: string;
  readonly demo: { readonly test: { readonly api_key: string; readonly api_secret: string } };
}

const scratch = mkdtempSync(path.join(tmpdir(), "purser-python-"));
// If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
chmodSync(scratch, 0o711);
let server: ChildProcess | undefined;
try {
  const python = await pythonOfSdk();
  run(python, ["-m", "ruff", "format", "--check", "."]);
  run(python, ["-m", "ruff", "check", "."]);
  run(python, ["-m", "mypy"]);
  server = spawn(process.execPath, [
    path.join(ROOT, "local/src/bin/start.ts"),
    ...["--json", "--port", "0", "--data-dir", path.join(scratch, "data")],
  ]);
  const line = await firstLineOf(server);
  run(python, ["-m", "pytest", "-q"], { PURSER_TEST_SERVER: line });
  runReadme(python, JSON.parse(line));
} finally {
  await stop(server);
  rmSync(scratch, { recursive: true, force: true });
}

/** Builds the wheel, installs only it and what it needs, and runs the README's first two programs as a reader does. */
function runReadme(python: string, { base_url, demo }: StartLine): void {
  run(python, ["-m", "hatchling", "build", "-t", "wheel", "-d", scratch]);
  const wheel = readdirSync(scratch).find((file) => file.endsWith(".whl")) ?? "";
  const environment = path.join(scratch, "environment");
  run(python, ["-m", "venv", environment]);
  const fresh = path.join(environment, "bin/python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", PYTHON_REQUIREMENTS];
  run(fresh, [...pip, path.join(scratch, wheel)]);
  const { api_key, api_secret } = demo.test;
  const credentials = { PURSER_BASE_URL: base_url, PURSER_API_KEY: api_key, PURSER_API_SECRET: api_secret };
  const readme = readFileSync(path.join(PYTHON_SDK, "README.md"), "utf8");
  const programs = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, program = ""]) => program);
  const outputs = ["{'GREETING': 'hello'}\n", "confirmed 5.00 USDC\n"];
  for (const [at, program] of programs.entries()) {
    const printed = execFileSync(fresh, ["-I", "-c", program], { encoding: "utf8", env: credentials, cwd: scratch });
    process.stdout.write(printed);
    if (printed !== (outputs[at] ?? printed)) throw new Error(`The README's program ${at + 1} printed: ${printed}`);
  }
}

function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  const env = { ...process.env, ...PYTHON_ENVIRONMENT, ...environment };
  execFileSync(program, args, { cwd: PYTHON_SDK, env, stdio: "inherit" });
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-2_000);
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const timer = setTimeout(() => child.kill("SIGTERM"), START_MAX_MS);
  for await (const line of lines) {
    clearTimeout(timer);
    return line;
  }
  throw new Error(`Purser did not start: ${errors}`);
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
