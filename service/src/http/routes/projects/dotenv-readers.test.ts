import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "dotenv";
import { expand } from "dotenv-expand";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { preparePython } from "../../../../test/python/python-packages.ts";
import { unportableNames } from "../../../modules/env/bundle/unportable-values.ts";
import { formatDocker, formatDotenv } from "./format-dotenv.ts";

type Env = Readonly<Record<string, string>>;

/** Values that people keep in `.env` files, and that some reader has read wrongly. */
const VALUES: Env = {
  A_URL: "postgres://user:p%40ss@host:5432/db?sslmode=require&x=1",
  B_BCRYPT: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
  C_DOLLAR: "pa$$word$HOME$\u007bHOME}",
  D_PEM: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg==\n-----END PRIVATE KEY-----\n",
  E_JSON: '{"a": "b # c", "list": [1, 2], "text": "line\\nbreak"}',
  F_WINDOWS: "C:\\Users\\new\\temp",
  G_UNC: "\\\\server\\share\\",
  H_DOUBLE: 'say "hi"',
  I_SINGLE: "it's",
  J_BOTH: `"it's"`,
  K_BACKTICK: "`id`",
  L_SINGLE_BACKTICK: "it's `id`",
  M_CRLF: "one\r\ntwo\r\n",
  N_SPACES: "  two  spaces # no comment ",
  O_EMPTY: "",
  P_UNICODE: "é 漢字 😀 \u2028 !!",
  Q_SINGLE_LINES: "it's\nA_URL=two lines\n",
};

const VALUES_ON_ONE_LINE = Object.fromEntries(Object.entries(VALUES).filter(([, value]) => !/[\n\r]/.test(value)));

/** The values that each reader reads wrongly. It reads all others exactly. */
const MISREAD = {
  bash: [],
  dash: [],
  node: ["J_BOTH", "L_SINGLE_BACKTICK", "M_CRLF"],
  dotenv: ["J_BOTH", "L_SINGLE_BACKTICK", "M_CRLF"],
  "dotenv-expand": ["B_BCRYPT", "C_DOLLAR", "J_BOTH", "L_SINGLE_BACKTICK", "M_CRLF"],
  // After the value that ends with a backslash, it does not find the next variable.
  "python-dotenv": ["C_DOLLAR", "G_UNC", "H_DOUBLE", "L_SINGLE_BACKTICK", "M_CRLF"],
} as const;

/** Reads a file as Docker does (docker/cli, opts/file.go): one variable a line, without quotes and escapes. */
function readAsDocker(text: string): Env {
  const lines = text.split(/\r?\n/).map((line) => line.trimStart());
  const variables = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(variables.map(splitOnce));
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}

describe("readers of .env files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-readers-"));
  const file = join(folder, "pulled.env");
  afterAll(() => rmSync(folder, { recursive: true }));
  const prepared = await preparePython({
    name: "python-dotenv-1.2.2",
    requirements: new URL("../../../../test/python/python-dotenv-requirements.txt", import.meta.url),
  });

  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, {
      encoding: "utf8",
      env: {},
      // If standard input is a socket, bash acts as a remote shell and reads the user's startup files.
      stdio: ["ignore", "pipe", "pipe"],
    });
  const sourcedBy = (shell: string) => (): Env =>
    Object.fromEntries(run(shell, ["-c", 'set -a; . "$1"; exec env -0', shell, file]).split("\0").map(splitOnce));
  const PRINT_ENV = "process.stdout.write(JSON.stringify(process.env))";
  const PRINT_VALUES = "import dotenv, json, sys; print(json.dumps(dotenv.dotenv_values(sys.argv[1])))";

  const readers: Record<keyof typeof MISREAD, (() => Env) | undefined> = {
    bash: existsSync("/bin/bash") ? sourcedBy("/bin/bash") : undefined,
    dash: existsSync("/bin/dash") ? sourcedBy("/bin/dash") : undefined,
    node: () => JSON.parse(run(process.execPath, [`--env-file=${file}`, "-e", PRINT_ENV])),
    dotenv: () => parse(readFileSync(file)),
    "dotenv-expand": () => expand({ parsed: parse(readFileSync(file)), processEnv: {} }).parsed ?? {},
    "python-dotenv":
      "python" in prepared ? () => JSON.parse(run(prepared.python, ["-c", PRINT_VALUES, file])) : undefined,
  };

  /** Writes the values to the file, and returns the names of those that the reader reads wrongly. */
  function misreadBy(read: () => Env, env: Env): string[] {
    writeFileSync(file, formatDotenv(env));
    const found = read();
    return Object.keys(env).filter((name) => found[name] !== env[name]);
  }

  for (const [name, read] of Object.entries(readers)) {
    const misread: readonly string[] = MISREAD[name as keyof typeof MISREAD];

    it.skipIf(read === undefined)(`${name}: reads 17 values, and warnings names the wrong ones`, () => {
      if (read === undefined) return;
      expect(misreadBy(read, VALUES)).toEqual(misread);
      expect(unportableNames(VALUES)).toEqual(expect.arrayContaining([...misread]));
    });

    it.skipIf(read === undefined)(`${name}: reads each value alone, unless warnings names it`, () => {
      if (read === undefined) return;
      const wrong = Object.entries(VALUES).flatMap(([key, value]) => misreadBy(read, { [key]: value }));
      expect(wrong.filter((key) => !misread.includes(key))).toEqual([]);
    });
  }

  it("warnings names only values that a reader reads wrongly", () => {
    const wrong = new Set<string>(Object.values(MISREAD).flat());
    expect(unportableNames(VALUES)).toEqual([...wrong].sort());
  });

  it("docker --env-file reads each value without line breaks", () => {
    expect(readAsDocker(formatDocker(VALUES_ON_ONE_LINE))).toEqual(VALUES_ON_ONE_LINE);
  });

  it("node, dotenv and dotenv-expand read any text that warnings does not name", () => {
    const value = fc.string({
      unit: fc.oneof(fc.constantFrom(..."\\\"$`' =#!n\n\r;{}A"), fc.string({ maxLength: 1, unit: "binary" })),
    });
    const text = value.filter((one) => !one.includes("\0"));
    fc.assert(
      fc.property(text, (A) => {
        fc.pre(unportableNames({ A }).length === 0);
        const file = formatDotenv({ A });
        const read = [parseEnv(file), parse(file), expand({ parsed: parse(file), processEnv: {} }).parsed];
        expect(read).toEqual([{ A }, { A }, { A }]);
      }),
      { numRuns: 300 },
    );
  });
});
