import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Command, runCommand } from "./run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-cli-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, args: readonly string[], more: Partial<Command> = {}): Promise<number> {
  return runCommand({ command, args, variables: {}, parentEnv: process.env, ...more });
}

describe("env run", () => {
  it("gives the command the variables, without a shell, and no credentials of Purser but those of the bundle", async () => {
    const output = join(folder, "output.json");
    const program = "fs.writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), process.env]))";
    const args = ["-e", program, output, "two words", "$HOME; exit 3", "*"];
    const parentEnv = {
      PATH: process.env["PATH"],
      A: "parent",
      B: "parent",
      PURSER_API_KEY: "k",
      PURSER_API_SECRET: "s",
    };
    const variables = { A: "it's\n$HOME", C: "", PURSER_API_SECRET: "bundle" };

    expect(await run(process.execPath, args, { variables, parentEnv })).toBe(0);

    const [argv, env] = JSON.parse(readFileSync(output, "utf8"));
    expect(argv).toEqual(["two words", "$HOME; exit 3", "*"]);
    expect(env).toEqual({ PATH: process.env["PATH"], B: "parent", ...variables });
  });

  it.each([
    ["the command's exit code", "exit 7", 7],
    ["128 plus the number of SIGTERM", "kill -TERM $$", 143],
    ["128 plus the number of SIGKILL", "kill -KILL $$", 137],
  ])("returns %s", async (_name, script, code) => {
    const before = process.listenerCount("SIGTERM");

    expect(await run("sh", ["-c", script])).toBe(code);
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });

  it("fails with 127 if there is no such command, and with 126 if it cannot be started", async () => {
    const before = process.listenerCount("SIGTERM");
    const text = join(folder, "text");
    writeFileSync(text, "no program", { mode: 0o644 });

    await expect(run("purser-no-such-command", [])).rejects.toMatchObject({ exitCode: 127, code: "command_not_found" });
    await expect(run(text, [])).rejects.toMatchObject({ exitCode: 126, message: `${text} cannot be started: EACCES.` });
    await expect(run("npm-x", [], { platform: "win32" })).rejects.toMatchObject({
      nextSteps: [expect.stringContaining("purser env run -- cmd /c npm-x …")],
    });
    await expect(run("true", ["x".repeat(5_000_000)])).rejects.toMatchObject({ exitCode: 126 });
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("passes %s on, and waits for the command", async (signal) => {
    const command = `process.on("${signal}", () => process.exit(42)); console.log("ready"); setInterval(() => {}, 1000)`;
    const program = `
      import { runCommand } from ${JSON.stringify(new URL("./run-command.ts", import.meta.url).href)};
      const args = ["-e", ${JSON.stringify(command)}];
      process.exitCode = await runCommand({ command: process.execPath, args, variables: {}, parentEnv: process.env });`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(parent, "exit");
    await once(parent.stdout, "data");
    parent.kill(signal);

    expect(await ended).toEqual([42, null]);
  });
});
