import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Flaw } from "../../detection/flaws.ts";

/** The timeout of a test. It is longer than any test needs. */
const TEST_MAX_MS = 45_000;
const RUN_MAX_MS = 180_000;

/**
 * The result of one test. `absent` means that no test with this title ran, or that the test file could not be loaded.
 */
export type Verdict = "passed" | "failed" | "absent";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs one test of the project copy in `folder`. */
export async function runTest(
  folder: string,
  { testFile, group, test }: Pick<Flaw, "testFile" | "group" | "test">,
): Promise<Verdict> {
  const report = join(folder, "node_modules", ".detection.json");
  const args = [
    join(folder, "node_modules/vitest/vitest.mjs"),
    "run",
    testFile,
    "--testNamePattern",
    test.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    `--testTimeout=${TEST_MAX_MS}`,
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  await new Promise<void>((resolve) => {
    // The exit code is ignored, because the test is expected to fail.
    execFile(process.execPath, args, { cwd: folder, timeout: RUN_MAX_MS }, () => resolve());
  });
  const { testResults }: Report = JSON.parse(await readFile(report, "utf8"));
  const found = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ fullName }) => fullName === `${group} ${test}`);
  return found?.status === "passed" || found?.status === "failed" ? found.status : "absent";
}
