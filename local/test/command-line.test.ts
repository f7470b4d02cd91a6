import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readArguments, UsageError } from "../src/arguments.ts";
import { launch } from "./local-profile.ts";

const folders = { defaultDataDir: "/project/.purser", currentDir: "/project/docs" };

describe("readArguments", () => {
  it("defaults: port 8080 and the default folder", () => {
    expect(readArguments([], folders)).toEqual({
      json: false,
      help: false,
      port: 8080,
      dataDir: "/project/.purser",
    });
  });

  it.each([
    ["data", "/project/docs/data"],
    ["/data", "/data"],
    ["~/data", `${homedir()}/data`],
  ])("resolves --data-dir %s to %s", (given, dataDir) => {
    expect(readArguments(["--data-dir", given], folders).dataDir).toBe(dataDir);
  });

  it("exit code 0: --help prints the usage on standard output", async () => {
    const launched = launch(["--help"]);

    expect(await launched.ended).toBe(0);
    expect(launched.stdout()).toMatch(/^Usage: npm start -- \[options\]/);
    expect(launched.stderr()).toBe("");
  });

  it("npm run demo --help prints the usage and starts nothing", async () => {
    const demo = join(import.meta.dirname, "../src/bin/demo.ts");

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo, "--help"]);

    expect(stdout).toMatch(/^Usage: npm run demo \[-- agents \| fiat \[--live\] \| wallets\]\n/);
    expect(stderr).toBe("");
  });

  it("exit code 2: npm run demo with an unknown word prints the usage and starts nothing", async () => {
    const demo = join(import.meta.dirname, "../src/bin/demo.ts");

    const failed = promisify(execFile)(process.execPath, [demo, "agent"]);

    await expect(failed).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^Usage: npm run demo \[-- agents \| fiat \[--live\] \| wallets\]\n/),
    });
  });

  it.each([
    [["--port", "eighty"], "--port must be a number from 0 to 65535."],
    [["--port", "65536"], "--port must be a number from 0 to 65535."],
    [["--port"], "Option '--port <value>' argument missing."],
    [["--data-dir="], "--data-dir must be the path of a folder."],
    [["now"], "Unexpected argument 'now'."],
    [["--json=yes"], "Option '--json' does not take an argument."],
  ])("UsageError: %j", (words, message) => {
    expect(() => readArguments(words, folders)).toThrow(new UsageError(message));
  });

  it("exit code 2: an unknown option prints an error and a hint", async () => {
    const launched = launch(["--prot", "1"]);

    expect(await launched.ended).toBe(2);
    expect(launched.stderr()).toBe("Unknown option '--prot'. Run `npm start -- --help` to list the options.\n");
    expect(launched.stdout()).toBe("");
  });
});
