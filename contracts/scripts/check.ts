import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { CONTRACT_NAMES } from "../chain/contract-names.ts";
import { differencesBetween, readCommittedFiles, writeFiles } from "./committed-files.ts";
import { readCoverage } from "./coverage.ts";
import { CheckError, CONTRACTS_FOLDER, forge, readRemappings } from "./forge.ts";
import { type GeneratedFiles, generateFiles, readGasFigures } from "./generated-files.ts";

const LINES_MIN_PERCENT = 95;
const BRANCHES_MIN_PERCENT = 90;
const UPDATE = "npm run contracts -- --update";
const FORGE = "cd contracts && npx forge";
const GAS_FOLDER = "cache/gas";
const COVERAGE_FILE = "cache/coverage/lcov.info";

/** Prints one line when the step ends: its seconds and what it found. */
async function step<Result>(
  name: string,
  run: () => Promise<readonly [result: Result, found: string]>,
): Promise<Result> {
  const started = performance.now();
  const print = (text: string) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${name.padEnd(8)} ${seconds.padStart(6)} s  ${text}`);
  };
  try {
    const [result, found] = await run();
    print(found);
    return result;
  } catch (error) {
    print("FAILED");
    throw error;
  }
}

async function checkFormat() {
  await forge(["fmt", "--check"]).catch((error: Error) => {
    throw new CheckError(`${error.message}\nTo format the files: ${FORGE} fmt`, { cause: error });
  });
  return [undefined, "every file is formatted"] as const;
}

/** The tests deploy the bytecode of the profile `release`. */
const RELEASED = { CONTRACTS_OUT: "out-release" };

/** Compiles `src/` alone, so that the bytecode does not depend on the tests. */
async function build() {
  await forge(["build", "src"], { FOUNDRY_PROFILE: "release" });
  return [undefined, `compiled ${CONTRACT_NAMES.join(", ")}`] as const;
}

async function runTests() {
  const output = await forge(["test"], RELEASED);
  const [, passed = "0", skipped] = /: (\d+) tests passed, 0 failed, (\d+) skipped/.exec(output) ?? [];
  if (passed === "0" || skipped !== "0") {
    throw new CheckError(`${output}\n${passed} tests passed and ${skipped} were skipped.`);
  }
  return [undefined, `${passed} tests passed`] as const;
}

/** Runs the tests that measure gas once more: with `--isolate`, each of their calls is a whole transaction. */
async function measureGas() {
  const folder = path.join(CONTRACTS_FOLDER, GAS_FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await forge(["test", "--isolate"], {
    ...RELEASED,
    FOUNDRY_PROFILE: "gas",
    FOUNDRY_SNAPSHOTS: GAS_FOLDER,
    FORGE_SNAPSHOT_EMIT: "true",
  });
  const figures = await readGasFigures(folder);
  if (figures.size === 0) throw new CheckError("No test in test/gas wrote a figure.");
  return [figures, "measured whole transactions"] as const;
}

async function checkCoverage() {
  // The coverage of forge 1.7 does not find relative imports in packages whose own path is relative.
  const remappings = (await readRemappings()).map((remapping) => {
    const [name = "", folder = ""] = remapping.split("=");
    return `--remappings=${name}=${path.join(CONTRACTS_FOLDER, folder)}`;
  });
  const file = path.join(CONTRACTS_FOLDER, COVERAGE_FILE);
  await mkdir(path.dirname(file), { recursive: true });
  const report = ["--report=lcov", `--report-file=${file}`];
  // The step "tests" tries as many random inputs as configured. A few are enough to reach each line.
  const fewRuns = { FOUNDRY_FUZZ_RUNS: "32", FOUNDRY_INVARIANT_RUNS: "4" };
  await forge(["coverage", ...report, ...remappings], fewRuns);
  const lcov = await readFile(file, "utf8");
  const { linesPercent, branchesPercent, missed } = readCoverage(lcov);
  const found = `${linesPercent.toFixed(1)} % of lines, ${branchesPercent.toFixed(1)} % of branches`;
  if (linesPercent < LINES_MIN_PERCENT || branchesPercent < BRANCHES_MIN_PERCENT) {
    throw new CheckError(
      `Tests cover ${found}, at least ${LINES_MIN_PERCENT} and ${BRANCHES_MIN_PERCENT} % are required. ` +
        `Add tests of these lines:\n  ${missed.join("\n  ")}`,
    );
  }
  return [undefined, found] as const;
}

async function compareOrUpdate(generated: GeneratedFiles, update: boolean) {
  const committed = await readCommittedFiles(CONTRACTS_FOLDER);
  const differences = differencesBetween(generated, committed);
  if (update) {
    await writeFiles(CONTRACTS_FOLDER, generated, committed);
    return [undefined, `wrote ${differences.length} of ${generated.size} files`] as const;
  }
  if (differences.length > 0) {
    throw new CheckError(
      `These files differ from the code:\n  ${differences.join("\n  ")}\n` +
        `If the change is intended, write them with \`${UPDATE}\` and read the difference in Git.`,
    );
  }
  return [undefined, `${generated.size} generated files are up to date`] as const;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
  const { update } = values;
  await step("format", checkFormat);
  const buildAndTest = async () => {
    await step("build", build);
    if (!update) await step("tests", runTests);
  };
  // At the same time, because the compiler uses only one core.
  const steps = [buildAndTest(), ...(update ? [] : [step("coverage", checkCoverage)])];
  // After a failure, waits for the other steps, so that forge does not continue in the background.
  await Promise.allSettled(steps);
  await Promise.all(steps);
  const gasFigures = await step("gas", measureGas);
  await step("files", async () => {
    const generated = new Map([...(await generateFiles("out-release")), ...gasFigures]);
    return await compareOrUpdate(generated, update);
  });
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CheckError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
