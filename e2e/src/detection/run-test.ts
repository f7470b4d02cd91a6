import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Flaw } from "../../detection/flaws.ts";

/** Longer than any of the tests takes; one that hangs has failed. */
const TEST_MAX_MS = 45_000;
const RUN_MAX_MS = 180_000;

/** What became of one test. `absent`: no test of that name ran, or its file could not be read at all. */
export type Verdict = "passed" | "failed" | "absent";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs one test by its name in a folder that holds the project. */
export async function runTest(
  folder: string,
  { testFile, group, test }: Pick<Flaw, "testFile" | "group" | "test">,
): Promise<Verdict> {
  const report = join(folder, "node_modules", ".detection.json");
  const words = [
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
    // It ends with 1 where the test fails, which is what is hoped for.
    execFile(process.execPath, words, { cwd: folder, timeout: RUN_MAX_MS }, () => resolve());
  });
  const { testResults }: Report = JSON.parse(await readFile(report, "utf8"));
  const found = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ fullName }) => fullName === `${group} ${test}`);
  return found?.status === "passed" || found?.status === "failed" ? found.status : "absent";
}
