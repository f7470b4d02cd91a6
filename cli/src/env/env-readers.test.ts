import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "dotenv";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { formatDocker, formatDotenv } from "../../../service/src/http/routes/projects/format-dotenv.ts";
import { unportableNames } from "../../../service/src/modules/env/bundle/unportable-values.ts";
import { preparePython } from "../../../service/test/python/python-packages.ts";
import { planEnvFile } from "./env-file.ts";
import type { EnvFormat, PulledEnv } from "./env-format.ts";

type Env = Readonly<Record<string, string>>;

const ON_ONE_LINE: Env = {
  BACKSLASHES: "C:\\Users\\new",
  BACKSLASH_LAST: "C:\\dir\\",
  BACKTICK: "`id`",
  BOTH_QUOTES: `"it's"`,
  DOLLAR: "$HOME $\u007bHOME} $(id) $$",
  EMPTY: "",
  HASH: "before # after",
  JSON_TEXT: '{"a": [1, "b"]}',
  NO: "123",
  SINGLE: "it's",
  SPACES: "  two  spaces ",
  UNICODE: "é 漢字 😀 \u2028",
  URL: "postgres://user:p%40ss@host:5432/db?sslmode=require&x=1",
};
const VALUES: Env = {
  ...ON_ONE_LINE,
  CRLF: "one\r\ntwo\r\n",
  KEY_TEXT: "-----BEGIN KEY-----\nMIIE+/==\n-----END KEY-----\n",
  MARKERS: "it's\n# >>> purser env pull >>>\nEMPTY=x\n# <<< purser env pull <<<\n",
};
const FOREIGN = "# people's lines\nFOREIGN_A='one\ntwo'\nexport FOREIGN_B=2";

function splitOnce(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}

function textOf(env: Env, format: EnvFormat, current = "", more: Partial<PulledEnv> = {}): string {
  const bundle = { project_id: "prj_1", environment: "development", fingerprint: "0".repeat(64), env, ...more };
  return planEnvFile(Buffer.from(current), bundle, format).next.toString();
}

/** Reads a file by Docker's rules (docker/cli, pkg/kvfile): a variable a line, without quotes; no name without a value. */
function readAsDocker(text: string): Env {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const variables = lines
    .map((line) => line.replace(/\r$/, "").trimStart())
    .filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(
    variables.map((line) => {
      const [name, value] = splitOnce(line);
      if (name === "" || /\s/.test(name)) throw new Error(`docker: invalid variable ${line}`);
      return [name, value];
    }),
  );
}

/** Reads a Secret in the YAML that JSON shares, so every key and value must be in double quotes. */
function readAsSecret(text: string): { readonly name: string; readonly env: Env } {
  const [top = "", data = ""] = text.split(/^data:(?: \{\})?$/m);
  const lines = (part: string) => part.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const name = /^ {2}name: "([a-z0-9-]+)"$/.exec(lines(top)[3] ?? "")?.[1] ?? "";
  expect(lines(top)).toEqual(["apiVersion: v1", "kind: Secret", "metadata:", `  name: "${name}"`, "type: Opaque"]);
  const entries = Object.entries<string>(JSON.parse(`{${lines(data).join(",")}}`));
  const values = entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]);
  return { name, env: Object.fromEntries(values) };
}

describe("files that were pulled, read by programs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-cli-readers-"));
  const file = join(folder, "pulled.env");
  afterAll(() => rmSync(folder, { recursive: true }));
  const prepared = await preparePython({
    name: "python-dotenv-1.2.2",
    requirements: new URL("../../../service/test/python/python-dotenv-requirements.txt", import.meta.url),
  });
  const run = (program: string, args: readonly string[]) =>
    // If standard input is a socket, bash acts as a remote shell and reads the user's startup files.
    execFileSync(program, args, { encoding: "utf8", env: {}, stdio: ["ignore", "pipe", "pipe"] });
  const SHELLS = ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh"].filter((shell) => existsSync(shell));

  function sourcedBy(shell: string, script: string): Env {
    const printed = run(shell, ["-c", `${script}; exec env -0`, shell, file]);
    return Object.fromEntries(printed.split("\0").map(splitOnce));
  }

  const NODE = "process.loadEnvFile(process.argv[1]); console.log(JSON.stringify(process.env))";
  const PYTHON = "import dotenv, json, sys; print(json.dumps(dotenv.dotenv_values(sys.argv[1])))";
  const READERS: Readonly<Record<string, (() => Env) | undefined>> = {
    "process.loadEnvFile": () => JSON.parse(run(process.execPath, ["-e", NODE, file])),
    dotenv: () => parse(readFileSync(file)),
    "python-dotenv": "python" in prepared ? () => JSON.parse(run(prepared.python, ["-c", PYTHON, file])) : undefined,
  };

  it("dotenv and docker: the section has exactly the server's lines", () => {
    const linesOf = (text: string) => text.split("\n").slice(1, -2).join("\n");

    expect(`${linesOf(textOf(VALUES, "dotenv"))}\n`).toBe(formatDotenv(VALUES));
    expect(`${linesOf(textOf(ON_ONE_LINE, "docker"))}\n`).toBe(formatDocker(ON_ONE_LINE));
  });

  it.each(SHELLS)("dotenv: %s reads every value, and the foreign ones", (shell) => {
    // A backslash at the end joins a line to the next one.
    writeFileSync(file, textOf(VALUES, "dotenv", `${FOREIGN}\\`));

    expect(sourcedBy(shell, 'set -ae; . "$1"')).toMatchObject({ ...VALUES, FOREIGN_A: "one\ntwo", FOREIGN_B: "2" });
  });

  for (const [name, read] of Object.entries(READERS)) {
    it.skipIf(read === undefined)(`dotenv: ${name} reads every value that is portable, and the foreign ones`, () => {
      const unportable = unportableNames(VALUES);
      const portable = Object.fromEntries(
        Object.entries(VALUES).filter(([variable]) => !unportable.includes(variable)),
      );
      writeFileSync(file, textOf(portable, "dotenv", FOREIGN));

      expect(Object.keys(portable).length).toBeGreaterThan(7);
      expect(read?.()).toMatchObject({ ...portable, FOREIGN_A: "one\ntwo", FOREIGN_B: "2" });
    });
  }

  it.each(SHELLS)("shell: %s reads and exports every value", (shell) => {
    writeFileSync(file, textOf(VALUES, "shell", FOREIGN));

    expect(sourcedBy(shell, 'set -e; . "$1"')).toMatchObject({ ...VALUES, FOREIGN_B: "2" });
  });

  it.each(["dotenv", "shell"] as const)("%s: a shell reads any text", (format) => {
    const unit = fc.oneof(fc.constantFrom(..."\\\"$`' =#!n\n\r&;(){}"), fc.string({ maxLength: 1, unit: "binary" }));
    const text = fc.string({ unit }).filter((value) => !value.includes("\0"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (values) => {
        const env = Object.fromEntries(values.map((value, index) => [`V_${index}`, value]));
        const pulled = textOf(env, format);
        writeFileSync(file, pulled);
        expect(sourcedBy("/bin/sh", 'set -ae; . "$1"')).toMatchObject(env);
        expect(textOf(env, format, pulled)).toBe(pulled);
      }),
      { numRuns: 20 },
    );
  });

  it("docker: reads every value on one line, and the foreign ones", () => {
    const text = textOf(ON_ONE_LINE, "docker", '\ufeff# comment\r\nFOREIGN="1"\r\n');

    expect(readAsDocker(text)).toEqual({ ...ON_ONE_LINE, FOREIGN: '"1"' });
  });

  it("json and k8s: are an object and a Secret of all values, also of none", () => {
    expect(JSON.parse(textOf(VALUES, "json"))).toEqual(VALUES);
    expect(JSON.parse(textOf({}, "json"))).toEqual({});
    expect(readAsSecret(textOf(VALUES, "k8s", "", { projectSlug: "my-app" }))).toEqual({ name: "my-app", env: VALUES });
    expect(readAsSecret(textOf({}, "k8s"))).toEqual({ name: "prj-1", env: {} });
    // Kubernetes refuses data without a value.
    expect(textOf({}, "k8s")).toContain("\ndata: {}\n");
  });
});
