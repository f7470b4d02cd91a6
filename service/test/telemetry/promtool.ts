import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs promtool with `content` as its last argument, a file in JSON, which is YAML too. Returns its output, and throws if it
 * fails.
 */
export async function runPromtool(args: readonly string[], content: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "purser-promtool-"));
  try {
    const file = join(folder, "input.json");
    await writeFile(file, JSON.stringify(content));
    return await runProgram("promtool", [...args, file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function checkRules(path: string): Promise<string> {
  return runProgram("promtool", ["check", "rules", path]);
}

/** Checks metrics in Prometheus's text format: their form, and the naming conventions. */
export async function checkMetrics(text: string): Promise<string> {
  return runProgram("promtool", ["check", "metrics"], text);
}

/** Whether promtool is missing, which is allowed outside CI only. */
export async function isPromtoolMissing(): Promise<boolean> {
  if (process.env["CI"] === "true") return false;
  return runProgram("promtool", ["--version"]).then(
    () => false,
    () => {
      process.stderr.write("Skipping tests: no promtool on the PATH (Debian: apt-get install prometheus)\n");
      return true;
    },
  );
}

function runProgram(program: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error }));
    });
    child.stdin?.end(input);
  });
}
