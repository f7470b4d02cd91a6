import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { type Launched, launch, PROJECT_DIR, useLocalProfile } from "./local-profile.ts";
import { needsTools } from "./needs-tools.ts";

const RUN_MAX_MS = 20_000;
/** README's first command does not install development packages. */
const NODE_OPTIONS = `--import=${new URL("refuse-development-packages.mjs", import.meta.url)}`;
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
    const options = { cwd: folder, env: { PATH, HOME, NODE_OPTIONS, ...environment }, timeout: RUN_MAX_MS };
    const { stdout } = await promisify(execFile)(program, ["-c", code], options);
    return stdout;
  }

  /** Runs a shell that reads the code from its standard input, like a terminal. Returns its standard output. */
  async function runInput(shell: string, options: readonly string[], code: string) {
    const { PATH = "", HOME = "" } = process.env;
    const running = promisify(execFile)(shell, options, {
      cwd: folder,
      env: { PATH, HOME, NODE_OPTIONS, ...environment },
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
    expect(await run("bash", `set -eu\n${blocks.shell}`)).toBe("demo@purser.local\n");
  });

  it.for([
    ["bash", ["-s"]],
    // As in a terminal, in which zsh takes no comments.
    ["zsh", ["-fis"]],
  ] as const)("every block works if it is pasted into %s, in order", async ([shell, options], { skip }) => {
    skip(needsTools(shell));
    const { typescript, shellBlocks } = blocks;
    const files = await folderWith({ "pay.ts": typescript });
    const code = shellBlocks
      .join("\n")
      .replaceAll("npm exec -- node", process.execPath)
      .replaceAll("npm exec -- purser", `${process.execPath} ${join(PROJECT_DIR, "cli/src/purser.ts")}`)
      .replaceAll(".purser/", `${files}/`);

    const printed = await runInput(shell, options, `set -eu\n${code}\n`);

    expect(shellBlocks).toHaveLength(4);
    expect(printed).toContain("demo@purser.local\nconfirmed 5.00 USDC\n");
    expect(printed).toContain('{"ok":true,"command":"pay","data":{"object":"payment"');
    expect(printed).toContain('{"ok":true,"command":"freeze","data":null');
    expect(printed).toMatch(/\nconfirmed 5\.00 USDC\n$/);
  });

  it("401: one byte of the body changed after signing", async () => {
    const sending = '--data-binary "$body"';
    expect(blocks.shell).toContain(sending);
    const changed = blocks.shell.replace(sending, '--data-binary "$(printf %s "$body" | tr A B)"');
    const request = 'signed POST /projects \'{"name":"A"}\'';

    const unchanged = await run("bash", `set -eu\n${blocks.shell} >/dev/null\n${request} -w '%{http_code}'`);
    const printed = await run("bash", `${changed} >/dev/null\n${request} -w '%{http_code}'`);

    expect(unchanged).toMatch(/"name":"A".*201$/);
    expect(printed).toMatch(/401$/);
    expect(JSON.parse(printed.slice(0, -3))).toEqual(CONSTANT_401);
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
  const of = (language: string) =>
    [...readme.matchAll(new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\`\\n`, "gs"))].map(([, block = ""]) => block);
  const [[shell = ""], [typescript = ""]] = [of("sh"), of("ts")];
  return { shellBlocks: of("sh"), shell, typescript };
}
