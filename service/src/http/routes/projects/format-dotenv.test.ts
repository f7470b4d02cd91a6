import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { formatDocker, formatDotenv, formatDotenvNames } from "./format-dotenv.ts";

const HOSTILE = {
  PLAIN: "value",
  EMPTY: "",
  SPACES: "  two  spaces ",
  EQUALS: "a=b=c",
  HASH: "before # after",
  SINGLE: "it's",
  DOUBLE: 'say "hi"',
  DOLLAR: "$HOME $\u007bHOME} $(id) $$",
  BACKTICK: "`id`",
  BACKSLASH: "C:\\new\\temp\\",
  BANG: "wow!!",
  GLOB: "*?[a]~",
  SEMICOLON: "a; rm -rf / & b | c > d",
  UNICODE: "é 漢字 😀 \u2028",
  TAB: "a\tb",
  CONTROL: "\u0001\u001b[31m\u007f",
  LINES: "one\r\ntwo\n",
  ESCAPES: "\\n is two characters",
};

describe("formatDotenv", () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-dotenv-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Sources the text in a shell, and returns the shell's values for the given names. */
  function sourcedBy(shell: string, text: string, names: readonly string[]) {
    const file = join(folder, "sourced.env");
    writeFileSync(file, text);
    const script = 'set -a; . "$1"; exec env -0';
    const output = execFileSync(shell, ["-c", script, shell, file], {
      encoding: "utf8",
      env: {},
      // If standard input is a socket, bash acts as a remote shell and reads the user's startup files.
      stdio: ["ignore", "pipe", "pipe"],
    });
    const all = new Map(output.split("\0").map((line) => splitOnce(line)));
    return Object.fromEntries(names.map((name) => [name, all.get(name)]));
  }

  function splitOnce(line: string): [string, string] {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)];
  }

  const shells = ["/bin/sh", "/bin/dash", "/bin/bash"].filter((path) => existsSync(path));

  it.each(shells)("%s reads the exact values", (shell) => {
    expect(sourcedBy(shell, formatDotenv(HOSTILE), Object.keys(HOSTILE))).toEqual(HOSTILE);
  });

  it("a shell reads the exact values of any text", () => {
    const text = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(..."\\\"$`' =#!n\n\r&;(){}"),
          fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
        ),
      })
      .filter((value) => !value.includes("\0"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (values) => {
        const env = Object.fromEntries(values.map((value, index) => [`V_${index}`, value]));
        expect(sourcedBy("/bin/sh", formatDotenv(env), Object.keys(env))).toEqual(env);
      }),
      { numRuns: 30 },
    );
  });

  it("puts values in single quotes, and values with a single quote in double quotes", () => {
    const env = { A: 'two\nlines $`"\\', B: "it's $`\"\\\n" };

    expect(formatDotenv(env)).toBe('A=\'two\nlines $`"\\\'\nB="it\'s \\$\\`\\"\\\\\n"\n');
  });

  it("sorts by name and ends each line", () => {
    expect(formatDotenv({ B: "2", A_B: "3", A: "1", AB: "4" })).toBe("A='1'\nAB='4'\nA_B='3'\nB='2'\n");
    expect(formatDotenv({})).toBe("");
  });

  it("formatDocker: writes sorted lines without quotes and escapes", () => {
    expect(formatDocker({ B: '"2" $', A: "" })).toBe('A=\nB="2" $\n');
  });

  it("formatDotenvNames: writes names without values", () => {
    expect(formatDotenvNames({ B: "2", A: "1" })).toBe("A=\nB=\n");
  });
});
