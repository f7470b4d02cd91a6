import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { foundryBinary } from "../chain/foundry-binary.ts";
import { applyFault, type Fault } from "./fault.ts";

const CONTRACTS = path.join(import.meta.dirname, "..");
const PACKAGES = path.join(CONTRACTS, "..", "node_modules");
const COPIED = ["src", "test", "bin", "foundry.toml", "package.json"];

/**
 * Forge reads these variables from the file `.env`. With dynamic linking, a change of a contract does not compile its
 * tests again. Few runs are enough, because a fault is to be caught soon.
 */
const ENVIRONMENT = `FOUNDRY_DYNAMIC_TEST_LINKING=true
FOUNDRY_FUZZ_RUNS=256
FOUNDRY_INVARIANT_RUNS=8
FOUNDRY_INVARIANT_DEPTH=64
`;
const INVARIANTS = "^(invariant|statefulFuzz)";

/** A copy of the contracts and their tests, to which a fault can be applied. */
export interface WorkspaceCopy {
  apply(source: string, fault: Fault): Promise<void>;
  revert(source: string): Promise<void>;
  /** Returns whether the contracts and the tests compile. */
  build(): Promise<boolean>;
  /** Returns the name of a test that fails, if any. The invariants run only if all other tests pass. */
  runTests(): Promise<string | undefined>;
  remove(): Promise<void>;
}

/** What forge prints about each test contract. */
type Report = Readonly<
  Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>
>;

/** Copies the contracts to a temporary folder, beside a link to the installed packages. */
export async function copyWorkspace(): Promise<WorkspaceCopy> {
  const root = await mkdtemp(path.join(tmpdir(), "purser-contracts-mutation-"));
  const folder = path.join(root, "contracts");
  await symlink(PACKAGES, path.join(root, "node_modules"));
  for (const name of COPIED) {
    await cp(path.join(CONTRACTS, name), path.join(folder, name), { recursive: true });
  }
  await writeFile(path.join(folder, ".env"), ENVIRONMENT);
  const read = (source: string) => readFile(path.join(CONTRACTS, "src", source), "utf8");
  const write = (source: string, text: string) => writeFile(path.join(folder, "src", source), text);
  return {
    apply: async (source, fault) => write(source, applyFault(await read(source), fault)),
    revert: async (source) => write(source, await read(source)),
    build: async () => (await forge(folder, ["build"])).succeeded,
    runTests: async () =>
      (await findFailedTest(folder, "--no-match-test", true)) ?? (await findFailedTest(folder, "--match-test", false)),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Throws if forge fails for another reason than a test, or if a required selection contains no test. */
async function findFailedTest(
  folder: string,
  selection: "--match-test" | "--no-match-test",
  required: boolean,
): Promise<string | undefined> {
  const commandLine = ["test", "--json", "--fail-fast", selection, INVARIANTS];
  const { succeeded, stdout, stderr } = await forge(folder, commandLine);
  // Without a matching test, forge prints a sentence instead of JSON, and succeeds.
  const report = stdout.startsWith("{") ? stdout : "{}";
  const failed = failedTestOf(JSON.parse(report));
  const complete = succeeded && (stdout === report || !required);
  if (failed === undefined && !complete) throw new Error(`forge failed:\n${stdout}${stderr}`);
  return failed;
}

function failedTestOf(report: Report): string | undefined {
  return Object.entries(report)
    .flatMap(([contract, { test_results }]) =>
      Object.entries(test_results).map(([test, { status }]) => ({ contract, test, status })),
    )
    .filter(({ status }) => status === "Failure")
    .map(({ contract, test }) => `${contract} ${test}`)
    .at(0);
}

/** Runs forge. A failure is a result, because a fault should make tests fail. */
async function forge(folder: string, commandLine: readonly string[]) {
  return new Promise<{ succeeded: boolean; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
    execFile(foundryBinary("forge"), commandLine, options, (error, stdout, stderr) =>
      resolve({ succeeded: error === null, stdout, stderr }),
    );
  });
}
