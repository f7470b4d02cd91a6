import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { type Launched, launch, PROJECT_DIR, useLocalProfile } from "./local-profile.ts";
import { needsTools } from "./needs-tools.ts";

const RUN_MAX_MS = 20_000;
const START_MAX_MS = 60_000;

describe.skipIf(needsTools("sh", "openssl", "curl", "jq", "python3"))("code blocks of README.md and npm start", () => {
  const lab = useLocalProfile(afterAll);
  let blocks: ReturnType<typeof blocksOf>;
  let launched: Launched;
  let environment: Readonly<Record<string, string>>;
  let folder: string;

  beforeAll(async () => {
    blocks = blocksOf(await readFile(join(PROJECT_DIR, "README.md"), "utf8"));
    const dataDir = await lab.stoppedDataDir();
    launched = launch(["--port", "0", "--data-dir", dataDir]);
    const { value } = await until(
      "npm start has printed its URLs",
      async () => /^ {2}API +(\S+)$.*Ctrl-C/ms.exec(launched.stderr()) ?? undefined,
      START_MAX_MS,
    );
    const [, baseUrl = ""] = value;
    environment = { PURSER_BASE_URL: baseUrl, PURSER_DATA_DIR: dataDir };
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-readme-"));
    return async () => {
      const left = await readdir(folder);
      await rm(folder, { recursive: true });
      // Readers run the README's commands in a checkout, where no file with secrets may remain.
      expect(left).toEqual([]);
    };
  });

  /** Runs code with `program -c`, as if a reader had pasted it. Returns its standard output. */
  async function run(program: string, code: string): Promise<string> {
    const { PATH = "", HOME = "" } = process.env;
    const options = { cwd: folder, env: { PATH, HOME, ...environment }, timeout: RUN_MAX_MS };
    const { stdout } = await promisify(execFile)(program, ["-c", code], options);
    return stdout;
  }

  /** Runs a shell that reads the code from its standard input, like a terminal. Returns its standard output. */
  async function runInput(shell: string, options: readonly string[], code: string) {
    const { PATH = "", HOME = "" } = process.env;
    const running = promisify(execFile)(shell, options, {
      cwd: folder,
      env: { PATH, HOME, ...environment },
      timeout: 3 * RUN_MAX_MS,
    });
    running.child.stdin?.end(code);
    return (await running).stdout;
  }

  it("201: the curl command that npm start prints", async () => {
    const script = launched.stderr().split("A signed request:\n")[1]?.split("Ctrl-C")[0] ?? "";

    const printed = await run("sh", `set -eu\n${script}`);

    expect(JSON.parse(printed)).toMatchObject({
      project_id: expect.stringMatching(/^proj_/),
      mode: "test",
    });
    expect(launched.stdout()).toBe("");
  });

  it("200: a request signed in a shell", async () => {
    const printed = await run("sh", `set -eu\n${blocks.shell}`);

    expect(JSON.parse(printed)).toMatchObject({ email: "demo@purser.local" });
  });

  it("200 and 201: requests signed in Python, without and with a body", async () => {
    const printed = await run("python3", blocks.python);

    expect(printed).toMatch(/^demo@purser\.local\nproj_[0-9a-z]{26}\n$/);
  });

  it("verifies an environment with openssl and jq", async () => {
    const removal = 'rm -r "$DIR"';
    expect(blocks.environment).toContain(removal);
    const code = blocks.environment.replace(removal, `cat "$DIR"/*env*\n${removal}`);

    const printed = await run("sh", `set -eu\n${blocks.shell} >/dev/null\n${code}`);

    expect(printed).toMatch(/^signature good\nfingerprint good\ndotenv good\n/);
    expect(printed).toContain('"GREETING":"hello, \\"world\\""');
    expect(printed).toContain("TOKEN=");
  });

  it("adds a database at a linked provider and pulls its variables", async () => {
    const printed = await run("sh", `set -eu\n${blocks.shell} >/dev/null\n${blocks.database}`);

    expect(printed.split("\n")).toEqual([
      "linked",
      "succeeded",
      "DATABASE_URL",
      "DATABASE_URL_UNPOOLED",
      "PGDATABASE",
      "PGHOST",
      "PGPASSWORD",
      "PGUSER",
      "",
    ]);
  });

  it("stores a provider key, verifies the audit chain and exports it", async () => {
    const printed = await run("sh", `set -eu\n${blocks.shell} >/dev/null\n${blocks.trail}`);

    const [verification, chain, ...actions] = printed.split("\n");
    expect(verification).toBe("verified");
    expect(chain).toMatch(/^chain valid: true, anchor (matched|pending)$/);
    expect(actions.join("\n")).toMatch(/1 provider_key\.created\n/);
  });

  it.for([
    ["bash", ["-s"]],
    // As in a terminal, in which zsh takes no comments.
    ["zsh", ["-fis"]],
  ] as const)("every block works if it is pasted into %s, in order", async ([shell, options], { skip }) => {
    skip(needsTools(shell));
    const { typescript, payment, shellBlocks } = blocks;
    const files = await folderWith({ "first.ts": typescript, "pay.ts": payment });
    const code = shellBlocks
      .join("\n")
      .replaceAll("npm exec -- node", process.execPath)
      .replaceAll(".purser/", `${files}/`);

    const printed = await runInput(shell, options, `set -eu\n${code}\necho "$KEY"\n`);

    expect(shellBlocks).toHaveLength(6);
    for (const result of [
      '"email": "demo@purser.local"',
      "signature good\nfingerprint good\ndotenv good\n",
      "linked\nsucceeded\nDATABASE_URL\n",
      "verified\nchain valid: true",
      "{ GREETING: 'hello' }\nconfirmed 5.00 USDC\nsvc_sk_test_",
    ]) {
      expect(printed).toContain(result);
    }
  });

  it("detects one changed byte of an environment", async () => {
    const pull = '-o "$DIR/env.json"\n';
    const flip = `python3 -c '
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[data.index(b"hello")] ^= 1
open(sys.argv[1], "wb").write(data)' "$DIR/env.json"\n`;
    expect(blocks.environment).toContain(pull);
    const code = blocks.environment.replace(pull, pull + flip);

    // Only the JSON file was changed, so the signature of the dotenv file is still valid.
    const printed = await run("sh", `${blocks.shell} >/dev/null\n${code}`);

    expect(printed).toBe("dotenv good\n");
  });

  it("pulls an environment with the TypeScript SDK", async () => {
    const { typescript, runTypescript } = blocks;

    const printed = await runTwice(".purser/first.ts", typescript, runTypescript);

    expect(printed).toBe("{ GREETING: 'hello' }\n".repeat(2));
  });

  it("pays with the TypeScript SDK", async () => {
    const { payment, runPayment } = blocks;

    const printed = await runTwice(".purser/pay.ts", payment, runPayment);

    expect(printed).toBe("confirmed 5.00 USDC\n".repeat(2));
  });

  /** Saves the code as the file, and runs it twice with the command. Returns the output. */
  async function runTwice(file: string, code: string, command: string): Promise<string> {
    const files = await folderWith({ [basename(file)]: code });
    expect(command).toContain(` node ${file}`);
    const runnable = command.replace("npm exec -- node", process.execPath).replace(".purser", files);
    return run("sh", `${blocks.shell} >/dev/null\n${runnable}\n${runnable}`);
  }

  it("401: one byte of the body changed after signing (curl)", async () => {
    const sending = '--data-binary "$body"';
    expect(blocks.shell).toContain(sending);
    const changed = blocks.shell.replace(sending, '--data-binary "$(printf %s "$body" | tr A B)"');
    const request = 'signed POST /api/v1/svc/projects \'{"name":"A"}\'';

    const unchanged = await run("sh", `${blocks.shell} >/dev/null\n${request} -w '%{http_code}'`);
    const printed = await run("sh", `${changed} >/dev/null\n${request} -w '%{http_code}'`);

    expect(unchanged).toMatch(/"name":"A".*201$/);
    expect(printed).toMatch(/401$/);
    expect(JSON.parse(printed.slice(0, -3))).toEqual(CONSTANT_401);
  });

  it("401: one byte of the body changed after signing (Python)", async () => {
    const sending = "data or None";
    expect(blocks.python).toContain(sending);
    const changed = blocks.python.replace(sending, 'data.replace(b"From", b"Fron") or None');
    const code = `import urllib.error
try:
${indent(changed)}
except urllib.error.HTTPError as refused:
    print(refused.code, refused.read().decode())`;

    const printed = await run("python3", code);

    const [email, refusal = ""] = printed.split("\n");
    expect(email).toBe("demo@purser.local");
    expect(refusal).toMatch(/^401 /);
    expect(JSON.parse(refusal.slice(4))).toEqual(CONSTANT_401);
  });
});

/** Returns a folder with these files, which is deleted after the test. */
async function folderWith(contents: Readonly<Record<string, string>>): Promise<string> {
  const files = await mkdtemp(join(tmpdir(), "purser-readme-"));
  onTestFinished(() => rm(files, { recursive: true }));
  // The files import the SDK, which is installed in the checkout's node_modules.
  await symlink(join(PROJECT_DIR, "node_modules"), join(files, "node_modules"));
  for (const [name, code] of Object.entries(contents)) await writeFile(join(files, name), code);
  return files;
}

/** The response to every failed authentication. It does not reveal which check failed (docs/rules/signing.md). */
const CONSTANT_401 = {
  type: "/errors/authentication_failed",
  title: "Unauthorized",
  status: 401,
  detail: "Authentication failed.",
  code: "authentication_failed",
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
  errors: [],
};

function blocksOf(readme: string) {
  const signing = sectionOf(readme, "Signing by hand");
  return {
    shellBlocks: [...readme.matchAll(/\n```sh\n(.*?)\n```\n/gs)].map(([, block = ""]) => block),
    shell: blockOf(signing, "sh"),
    python: blockOf(signing, "python"),
    environment: blockOf(sectionOf(readme, "Pull and verify an environment"), "sh"),
    database: blockOf(sectionOf(readme, "Add a database from a provider"), "sh"),
    typescript: blockOf(sectionOf(readme, "From TypeScript"), "ts"),
    runTypescript: blockOf(sectionOf(readme, "From TypeScript"), "sh"),
    payment: blockOf(sectionOf(readme, "The first payment"), "ts"),
    runPayment: blockOf(sectionOf(readme, "The first payment"), "sh"),
    trail: blockOf(sectionOf(readme, "Save a vendor key and verify its audit trail"), "sh"),
  };
}

function sectionOf(readme: string, title: string): string {
  const [, section] = readme.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`The README has no section "${title}".`);
  return section.split("\n## ")[0] ?? "";
}

function blockOf(section: string, language: string): string {
  const [, block] = new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\`\\n`, "s").exec(section) ?? [];
  if (block === undefined) throw new Error(`The section has no block of ${language}.`);
  return block;
}

function indent(code: string): string {
  return code.replaceAll(/^(?=.)/gm, "    ");
}
