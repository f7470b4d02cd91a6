import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readArguments, UsageError } from "../src/arguments.ts";
import { launch } from "./local-lab.ts";

const folders = { projectDir: "/project", currentDir: "/project/docs" };

describe("the command line of npm start", () => {
  it("means port 8080 and the project's own folder unless told otherwise", () => {
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
  ])("takes %s for a folder as it is meant where npm was called", (given, dataDir) => {
    expect(readArguments(["--data-dir", given], folders).dataDir).toBe(dataDir);
  });

  it("prints how it is used on standard output, and ends with code 0", async () => {
    const launched = launch(["--help"]);

    expect(await launched.ended).toBe(0);
    expect(launched.stdout()).toMatch(/^Usage: npm start -- \[options\]/);
    expect(launched.stderr()).toBe("");
  });

  it("explains the demo for --help, and starts nothing", async () => {
    const demo = join(import.meta.dirname, "../src/bin/demo.ts");

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo, "--help"]);

    expect(stdout).toMatch(/^Usage: npm run demo\n/);
    expect(stderr).toBe("");
  });

  it.each([
    [["--port", "eighty"], "--port takes a number from 0 to 65535."],
    [["--port", "65536"], "--port takes a number from 0 to 65535."],
    [["--port"], "Option '--port <value>' argument missing."],
    [["--data-dir="], "--data-dir takes the path of a folder."],
    [["now"], "Unexpected argument 'now'."],
    [["--json=yes"], "Option '--json' does not take an argument."],
  ])("says in one line what is wrong with %j", (words, sentence) => {
    expect(() => readArguments(words, folders)).toThrow(new UsageError(sentence));
  });

  it("ends with code 2 where it is called otherwise, and says how it is called", async () => {
    const launched = launch(["--prot", "1"]);

    expect(await launched.ended).toBe(2);
    expect(launched.stderr()).toBe(
      "Unknown option '--prot'. `npm start -- --help` lists what there is.\n",
    );
    expect(launched.stdout()).toBe("");
  });
});
