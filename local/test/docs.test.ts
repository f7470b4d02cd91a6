import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PYTHON_ENVIRONMENT, pythonOfSdk } from "../../scripts/python-sdk.ts";
import {
  type Block,
  blocksOf,
  isRunnable,
  LANGUAGES,
  type Language,
  pathOf,
  questionsOf,
  withoutChances,
} from "./docs-pages.ts";
import { PROJECT_DIR, type StartLine, start, useLocalProfile } from "./local-profile.ts";
import { needsTools } from "./needs-tools.ts";
import { typescriptProblems } from "./typescript-problems.ts";

const RUN_MAX_MS = 60_000;
const PAGES_AT_ONCE = 3;
/** Documents that are read, not followed. They state rules and facts. */
const OTHER_DOCUMENTS =
  /^(changelog|production|local|testing|mutation|glossary)\.md$|^(decisions|dist|event-types|node_modules|operate|recipes|rules)\//;
const PAGES = globSync("**/*.md", { cwd: join(PROJECT_DIR, "docs") })
  .filter((page) => !OTHER_DOCUMENTS.test(page))
  .sort();

type Environment = Readonly<Record<string, string>>;
/** What blocks have printed, by their places in the page. */
type Outputs = ReadonlyMap<number, string>;

/** Returns the block of a page with this mark, which other pages' blocks need. */
function codeOf(page: string, mark: string): string {
  const code = blocksOf(page).find((block) => block.mark === mark)?.code;
  if (code === undefined) throw new Error(`docs/${page} has no block {${mark}}`);
  return code;
}
const SIGNED = codeOf("signing.md", "helper");

/** Repeats a call after a 503, which a busy machine can cause. The SDKs do it by themselves. */
const REPEATING = `
eval "$(declare -f signed | sed '1s/signed/signed_once/')"
signed() {
  local answer attempt
  for attempt in 1 2 3; do
    answer=$(signed_once "$@")
    case $answer in *'"status":503,'*) sleep 1 ;; *) break ;; esac
  done
  [ -z "$answer" ] || echo "$answer"
}`;

/** The block that signs up, and the one that defines `signed`. */
const isRunBefore = ({ mark = "" }: Block) => ["account", "helper"].includes(mark);

/** How the blocks of a page in one language become one program, with a line that prints a separator before each block. */
const PROGRAMS: Readonly<Record<Language, { separator: (at: number) => string; prelude: string }>> = {
  sh: { separator: (at) => `echo "«${at}»"`, prelude: SIGNED + REPEATING },
  ts: { separator: (at) => `console.log("«${at}»");`, prelude: "" },
  cli: { separator: (at) => `echo "«${at}»"`, prelude: "" },
  python: { separator: (at) => `print("«${at}»", flush=True)`, prelude: "" },
};

describe.skipIf(needsTools("bash", "openssl", "curl", "jq", "python3", "script"))("code blocks of docs/", () => {
  const lab = useLocalProfile(afterAll);
  let folder: string;
  let python: string;
  /** Each language has an account of its own, so that the tabs of a page do not meet each other's projects. */
  const environments = new Map<Language, Environment>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-docs-"));
    await symlink(join(PROJECT_DIR, "node_modules"), join(folder, "node_modules"));
    // The package starts in a fraction of the time of the sources.
    await promisify(execFile)(process.execPath, [join(PROJECT_DIR, "scripts/build-cli.ts"), join(folder, "cli")]);
    const program = `#!/bin/sh\nexec '${process.execPath}' '${join(folder, "cli/purser.js")}' "$@"\n`;
    await writeFile(join(folder, "purser"), program, { mode: 0o755 });
    const [{ line }, interpreter] = await Promise.all([lab.newDataDir().then((dir) => start(dir)), pythonOfSdk()]);
    python = interpreter;
    for (const language of LANGUAGES) environments.set(language, await signUp(line, language));
    return () => rm(folder, { recursive: true });
  });

  /** Signs up as the quickstart does. Its block does not repeat what a busy machine has answered with 503. */
  async function signUp(line: StartLine, name: string, attempt = 1): Promise<Environment> {
    const base = {
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: process.env["HOME"] ?? "",
      PURSER_BASE_URL: line.base_url,
      PURSER_MAILBOX_URL: line.mailbox_url,
      PURSER_SANDBOX_URL: line.sandbox_url,
      PURSER_EMAIL: `${name}${attempt > 1 ? attempt : ""}@example.com`,
      PURSER_PASSWORD: "a long passphrase",
      PURSER_CONFIG_DIR: join(folder, ".config"),
      PURSER_KEYRING: "off",
    };
    const print = 'printf "%s\\n" "$PURSER_API_KEY" "$PURSER_API_SECRET"';
    const printed = await run("bash", ["-euc", `{\n${codeOf("quickstart.md", "account")}} >/dev/null\n${print}`], base);
    const [PURSER_API_KEY = "", PURSER_API_SECRET = ""] = printed.trim().split("\n");
    if (!PURSER_API_KEY.startsWith("svc_sk_") && attempt < 3) return await signUp(line, name, attempt + 1);
    return { ...base, PURSER_API_KEY, PURSER_API_SECRET };
  }

  async function run(program: string, words: readonly string[], env: Environment, cwd = folder): Promise<string> {
    return (await promisify(execFile)(program, words, { cwd, env, timeout: RUN_MAX_MS })).stdout;
  }

  const running = new Map<string, Promise<Outputs>>();

  /** Runs a page, once. */
  function runPage(page: string): Promise<Outputs> {
    const known = running.get(page);
    if (known !== undefined) return known;
    const outputs = Promise.all(LANGUAGES.map((language) => outputsOf(page, language)));
    const run = outputs.then((maps) => new Map(maps.flatMap((map) => [...map])));
    running.set(page, run);
    // The test of the page reports it.
    run.catch(() => {});
    return run;
  }

  /** Runs a page's blocks in one language as one program. */
  async function outputsOf(page: string, language: Language): Promise<Outputs> {
    const own = blocksOf(page).filter(
      (block) => block.language === language && isRunnable(block) && !isRunBefore(block),
    );
    if (own.length === 0) return new Map();
    const { separator, prelude } = PROGRAMS[language];
    const code = [prelude, ...own.map((block, at) => `${separator(at)}\n${block.code}`)].join("\n");
    // Each page has a folder of its own, because the command line saves the project of a folder.
    const cwd = join(folder, page.replaceAll(/\W/g, "-"), language);
    await mkdir(cwd, { recursive: true });
    const file = join(folder, `${page.replaceAll(/\W/g, "-")}.${language === "python" ? "py" : language}`);
    await writeFile(file, code);
    const environment = { ...environments.get(language), ...(language === "python" ? PYTHON_ENVIRONMENT : {}) };
    const bash = ["bash", "-eu"];
    const command = { sh: bash, cli: bash, ts: [process.execPath, "--no-warnings"], python: [python] }[language];
    const [program = "", ...options] = command;
    const printed = await run(program, [...options, file], environment, cwd);
    const parts = printed.split(/«\d+»/).slice(1);
    return new Map(own.map(({ start }, at) => [start, parts[at] ?? ""]));
  }

  it("the quickstart and the page about signing have the same function", () => {
    expect(codeOf("quickstart.md", "helper")).toBe(SIGNED);
  });

  it("the TypeScript tabs have no type errors", () => {
    const programs = PAGES.map((page) => {
      const own = blocksOf(page).filter((block) => block.language === "ts" && isRunnable(block));
      return [`docs.${page.replaceAll(/\W/g, "-")}.ts`, own.map(({ code }) => code).join("\n")] as const;
    }).filter(([, program]) => program.includes("import"));

    expect(typescriptProblems(new Map(programs))).toEqual([]);
  });

  it.each(PAGES)("%s: each block runs and prints the answer that is shown", { timeout: RUN_MAX_MS }, async (page) => {
    const at = PAGES.indexOf(page);
    const text = readFileSync(pathOf(page), "utf8");
    const blocks = blocksOf(page);
    const unexplained = blocks.filter((block) => !isRunnable(block) && !block.reason && block.mark !== "answer");
    expect(unexplained, "blocks that are neither run nor have a reason").toEqual([]);

    // The next pages start already, because some pages mostly wait.
    for (const near of PAGES.slice(at, at + PAGES_AT_ONCE)) void runPage(near);
    const outputs = await runPage(page);

    let shown = "";
    let end = 0;
    for (const answer of blocks.filter(({ mark }) => mark === "answer")) {
      // The command line prints whole objects. That its commands succeed is enough.
      const questions = questionsOf(blocks, answer).filter(({ language }) => language !== "cli");
      const printed = questions.flatMap((block) => outputs.get(block.start)?.trim() || []);
      const [first = "nothing was printed", ...others] = printed.map(withoutChances);
      expect.soft(others, "the outputs of the tabs of a group").toEqual(others.map(() => first));
      const isSame = first === withoutChances(answer.code.trim());
      shown += text.slice(end, answer.start) + (isSame ? answer.code : `${printed[0] ?? first}\n`);
      end = answer.start + answer.code.length;
    }
    // `-u` writes the answers into the page.
    await expect(shown + text.slice(end)).toMatchFileSnapshot(pathOf(page));
  });
});
