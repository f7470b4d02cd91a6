import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";

const CI_RUN = path.join(import.meta.dirname, "..", ".ci/run");
/** The tools and seven npm scripts, each of which counts as one. */
const GATES = 8;

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

interface Arrangement {
  /** What `npm ci`, `npm test` and `npm run <script>` do, as lines of shell; what is not named succeeds. */
  readonly npm?: Readonly<Record<string, string>>;
  /** The states of the tests in Vitest's report; without it no report is written. */
  readonly states?: readonly string[];
}

/** A tree that holds `.ci/run`, an npm of our own and an empty program for each tool, so that nothing is installed. */
function arrange({ npm = {}, states }: Arrangement): string {
  const tree = mkdtempSync(path.join(tmpdir(), "purser-ci-"));
  trees.push(tree);
  mkdirSync(path.join(tree, ".ci"));
  mkdirSync(path.join(tree, "bin"));
  cpSync(CI_RUN, path.join(tree, ".ci/run"));
  const report = {
    testResults: [
      { status: "passed", assertionResults: (states ?? []).map((status) => ({ status })) },
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
    npm: [
      "[ -x .ci/run ] || exit 1",
      'case "$1$([ "$1" = run ] && echo " $2")" in',
      ...cases,
      "esac",
    ].join("\n"),
    "apt-get": "exit 1",
    "redis-server": "",
    openssl: "",
    curl: "",
    jq: "",
    python3: "",
    "chromium-headless-shell": "",
  };
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(path.join(tree, "bin", name), `#!/bin/bash\n${lines}\n`);
    chmodSync(path.join(tree, "bin", name), 0o755);
  }
  return tree;
}

/** Starts `.ci/run` from a folder that is not the tree. */
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
  const ended = new Promise<{ code: number | null; output: string; lastLine: string | undefined }>(
    (resolve) => {
      child.on("close", (code) =>
        resolve({ code, output, lastLine: output.trimEnd().split("\n").at(-1) }),
      );
    },
  );
  return { child, ended };
}

/** A process that has ended may stay in the table until its parent asks for it, but it has no command line any more. */
function isAlive(pidFile: string): boolean {
  const commandLine = `/proc/${readFileSync(pidFile, "utf8").trim()}/cmdline`;
  return existsSync(commandLine) && readFileSync(commandLine, "utf8") !== "";
}

describe(".ci/run", () => {
  test("passes when all tests and gates pass, and counts both on its last line", async () => {
    const tree = arrange({ states: ["passed", "passed", "pending"] });

    const { code, lastLine } = await start(tree).ended;

    expect(lastLine).toBe(`${GATES + 2} passed, 0 failed, 1 skipped`);
    expect(code).toBe(0);
  });

  test("goes on after a failure, so that every failure is seen", async () => {
    const tree = arrange({
      states: ["passed", "failed"],
      npm: { test: "exit 1", "'run check:lint'": "exit 1", "'run check:openapi'": "exit 1" },
    });

    const { code, output, lastLine } = await start(tree).ended;

    expect(lastLine).toBe(`${GATES - 2 + 1} passed, 3 failed, 0 skipped`);
    expect(code).toBe(1);
    expect(output).toMatch(/^tests +FAILED/m);
    expect(output).toMatch(/^lint +FAILED/m);
    expect(output).toMatch(/^docs +ok/m);
  });

  test.each<[string, Arrangement, string]>([
    ["no test ran", { states: [] }, `${GATES} passed, 1 failed, 0 skipped`],
    ["there is no report", { npm: { ci: "exit 1" } }, `${GATES} passed, 1 failed, 0 skipped`],
    [
      "Vitest fails although every test passed",
      { states: ["passed"], npm: { test: "exit 1" } },
      `${GATES + 1} passed, 1 failed, 0 skipped`,
    ],
  ])("fails when %s", async (_, arrangement, expected) => {
    const { code, lastLine } = await start(arrange(arrangement)).ended;

    expect(lastLine).toBe(expected);
    expect(code).toBe(1);
  });

  test("ends the processes that a gate leaves behind, and says which gate it was", async () => {
    const tree = arrange({
      states: ["passed"],
      npm: { "'run check:docs'": "setsid sleep 60 >/dev/null 2>&1 & echo $! >left.pid" },
    });

    const { output, lastLine } = await start(tree).ended;

    expect(output).toContain("docs: left 1 processes behind");
    expect(lastLine).toBe(`${GATES + 1} passed, 0 failed, 0 skipped`);
    expect(isAlive(path.join(tree, "left.pid"))).toBe(false);
  });

  test("ends at once when it is told to, with all that it started", async () => {
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
