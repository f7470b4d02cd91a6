import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needsTools } from "../../local/test/needs-tools.ts";
import { emptyFolder, runCli } from "./run-cli.ts";

const PROGRAM = new URL("../src/purser.ts", import.meta.url).pathname;

async function words(...typed: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCli(["complete", "--", ...typed]);
  return stdout.split("\n").filter(Boolean);
}

describe("completion", () => {
  it("offers commands, their options, and the values of an option", async () => {
    expect(await words("pay")).toEqual(["payments", "pay"]);
    expect(await words("payments", "s")).toEqual(["send", "simulate"]);
    expect(await words("payments", "send", "--am")).toEqual(["--amount"]);
    expect(await words("payments", "send", "--execution", "")).toEqual(["auto", "authorize_only"]);
    expect(await words("env", "pull", "--format", "d")).toEqual(["dotenv", "docker"]);
    expect(await words("")).not.toContain("complete");
  });

  /** Each shell loads the script and completes `purser payments se`. */
  const ASK: Readonly<Record<string, string>> = {
    bash: `eval "$(purser completion bash)"; COMP_WORDS=(purser payments se); COMP_CWORD=2; _purser; printf '%s\\n' "\${COMPREPLY[@]}"`,
    zsh: `compdef() { :; }; compadd() { shift; printf '%s\\n' "$@"; }; eval "$(purser completion zsh)"; words=(purser payments se); CURRENT=3; _purser`,
    fish: `purser completion fish | source; complete -C 'purser payments se'`,
  };

  for (const [shell, code] of Object.entries(ASK)) {
    it.skipIf(needsTools(shell))(`works in ${shell}`, () => {
      const folder = emptyFolder();
      const program = join(folder, "purser");
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
      chmodSync(program, 0o755);
      const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder };

      const printed = execFileSync(shell, ["-c", code], { env, encoding: "utf8" });

      expect(printed.trim().split("\n")).toEqual(["send"]);
    });
  }
});
