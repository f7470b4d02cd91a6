import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";

const CI_RUN = path.join(import.meta.dirname, "..", ".ci/run");
/** The number of checks that `.ci/run` counts in addition to the tests: the tool installation and eleven npm scripts. */
const GATES = 14;

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

interface FakeRepository {
  /** Shell code that replaces `npm ci`, `npm test` or `npm run <script>`. Other npm commands succeed. */
  readonly npm?: Readonly<Record<string, string>>;
  /** The test statuses in Vitest's report. If undefined, no report is written. */
  readonly states?: readonly string[];
}

/** Creates a tree with `.ci/run`, a fake npm and an empty program for each tool, so that nothing is installed. */
function arrange({ npm = {}, states }: FakeRepository): string {
  const tree = mkdtempSync(path.join(tmpdir(), "purser-ci-"));
  trees.push(tree);
  mkdirSync(path.join(tree, ".ci"));
  mkdirSync(path.join(tree, "bin"));
  cpSync(CI_RUN, path.join(tree, ".ci/run"));
  const report = {
    testResults: [
      {
        name: "a.test.ts",
        status: "passed",
        assertionResults: (states ?? []).map((status) => ({
          status,
          fullName: "GET /a",
          failureMessages: status === "failed" ? ["Error: 500\n    at a.ts:1"] : [],
        })),
      },
    ],
  };
  const npmTest = [
    states === undefined ? "" : `printf '%s' '${JSON.stringify(report)}' >"\${!##--outputFile=}"`,
    npm["test"] ?? "",
  ];
  const cases = Object.entries({ ...npm, test: npmTest.join("\n") }).map(
    ([command, lines]) => `${command})\n${lines}\n;;`,
  );
  const programs = {
    npm: ["[ -x .ci/run ] || exit 1", 'case "$1$([ "$1" = run ] && echo " $2")" in', ...cases, "esac"].join("\n"),
    "apt-get": "exit 1",
    "redis-server": "",
    openssl: "",
    curl: "",
    jq: "",
    python3: "",
    zsh: "",
    "chromium-headless-shell": "",
  };
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(path.join(tree, "bin", name), `#!/bin/bash\n${lines}\n`);
    chmodSync(path.join(tree, "bin", name), 0o755);
  }
  return tree;
}

/** Starts `.ci/run` with a working directory outside the tree. */
function start(tree: string) {
  const child = spawn(path.join(tree, ".ci/run"), {
    cwd: tmpdir(),
    env: { ...process.env, PATH: `${path.join(tree, "bin")}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const ended = new Promise<{ code: number | null; output: string; lastLine: string | undefined }>((resolve) => {
    child.on("close", (code) => resolve({ code, output, lastLine: output.trimEnd().split("\n").at(-1) }));
  });
  return { child, ended };
}

/** Returns true if the process is running. A zombie process still has a `cmdline` file, but the file is empty. */
function isAlive(pidFile: string): boolean {
  const commandLine = `/proc/${readFileSync(pidFile, "utf8").trim()}/cmdline`;
  return existsSync(commandLine) && readFileSync(commandLine, "utf8") !== "";
}

describe(".ci/run", () => {
  test("exit code 0: all tests and gates pass; the last line counts both", async () => {
    const tree = arrange({ states: ["passed", "passed", "pending"] });

    const { code, lastLine } = await start(tree).ended;

    expect(lastLine).toBe(`${GATES + 2} passed, 0 failed, 1 skipped`);
    expect(code).toBe(0);
  });

  test("exit code 1: reports every failure, not only the first", async () => {
    const tree = arrange({
      states: ["passed", "failed"],
      npm: { test: "exit 1", "'run check:lint'": "exit 1", "'run check:generated'": "exit 1" },
    });

    const { code, output, lastLine } = await start(tree).ended;

    expect(lastLine).toBe(`${GATES - 2 + 1} passed, 3 failed, 0 skipped`);
    expect(code).toBe(1);
    expect(output).toMatch(/^tests +FAILED/m);
    expect(output).toMatch(/^lint +FAILED/m);
    expect(output).toMatch(/^docs +ok/m);
    expect(output).toContain("\nFailed tests:\na.test.ts: GET /a: Error: 500 at a.ts:1\n");
  });

  test.each<[string, FakeRepository, string]>([
    ["no test ran", { states: [] }, `${GATES} passed, 1 failed, 0 skipped`],
    ["there is no report", { npm: { ci: "exit 1" } }, `${GATES} passed, 1 failed, 0 skipped`],
    [
      "Vitest fails although every test passed",
      { states: ["passed"], npm: { test: "exit 1" } },
      `${GATES + 1} passed, 1 failed, 0 skipped`,
    ],
  ])("exit code 1: %s", async (_, repository, expected) => {
    const { code, lastLine } = await start(arrange(repository)).ended;

    expect(lastLine).toBe(expected);
    expect(code).toBe(1);
  });

  test("ends processes that a gate leaves running, and prints the gate's name", async () => {
    const tree = arrange({
      states: ["passed"],
      npm: { "'run check:docs'": "setsid sleep 60 >/dev/null 2>&1 & echo $! >remaining.pid" },
    });

    const { output, lastLine } = await start(tree).ended;

    expect(output).toContain("docs: left 1 processes running");
    expect(lastLine).toBe(`${GATES + 1} passed, 0 failed, 0 skipped`);
    expect(isAlive(path.join(tree, "remaining.pid"))).toBe(false);
  });

  test("exit code 143: SIGTERM ends the run and every process that it started", async () => {
    const tree = arrange({ npm: { ci: "sleep 60 & echo $! >install.pid; wait" } });
    const pidFile = path.join(tree, "install.pid");
    const { child, ended } = start(tree);
    await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", {
      timeout: 10_000,
    });

    child.kill("SIGTERM");

    expect((await ended).code).toBe(143);
    expect(isAlive(pidFile)).toBe(false);
  });
});
