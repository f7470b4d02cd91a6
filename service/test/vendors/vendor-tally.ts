import { readFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { openContracts } from "../../../simulators/src/contracts/open-contracts.ts";
import { type TalliedRequest, VENDOR_TALLY_FILE } from "../../../simulators/src/kit/tally.ts";

const FAULTS_SHOWN_MAX = 5;

/** Has every process of the run count the adapters' requests to the simulators in this file. */
export function startVendorTally(file: string): void {
  // Workers, and what they start with their environment, inherit it.
  process.env[VENDOR_TALLY_FILE] = file;
}

/** Prints what was counted, and throws where the vendors' descriptions were not kept to. */
export async function reportVendorTally(file: string, project: TestProject): Promise<void> {
  const { sentence, failure } = judgeTally(await readTally(file), {
    isDescribed: (await openContracts()) !== null,
    isWholeRun: await isWholeRun(project),
  });
  if (sentence) process.stdout.write(`${sentence}\n\n`);
  if (failure) throw new Error(failure);
}

/**
 * What is to be said of a run, and why it failed, if it did. A whole run in which nothing was counted is one in which the
 * counting is broken.
 */
export function judgeTally(
  requests: readonly TalliedRequest[],
  run: { readonly isDescribed: boolean; readonly isWholeRun: boolean },
): { readonly sentence?: string; readonly failure?: string } {
  if (!run.isDescribed)
    return run.isWholeRun
      ? {
          sentence:
            "vendor requests were not held against the vendors' descriptions: none are here",
        }
      : {};
  const asked = requests.filter(({ mark }) => mark !== "bad-answer");
  if (asked.length === 0)
    return run.isWholeRun
      ? { failure: "Not one request of an adapter's was held against a vendor's description." }
      : {};
  const faults = requests.filter(({ mark }) => mark !== "valid");
  const sentence = sentenceOf(asked);
  return faults.length === 0 ? { sentence } : { sentence, failure: failureOf(faults) };
}

function sentenceOf(asked: readonly TalliedRequest[]): string {
  const invalid = asked.filter(({ mark }) => mark === "invalid").length;
  const byVendor = [...Map.groupBy(asked, ({ vendor }) => vendor)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([vendor, theirs]) => `${vendor} ${theirs.length}`);
  return (
    "vendor requests held against the vendors' descriptions: " +
    `${asked.length - invalid} valid, ${invalid} invalid (${byVendor.join(", ")})`
  );
}

function failureOf(faults: readonly TalliedRequest[]): string {
  const shown = faults
    .slice(0, FAULTS_SHOWN_MAX)
    .map(({ vendor, mark, detail }) => `  ${vendor}, ${mark}: ${detail}`);
  return [`Against the vendors' descriptions, ${faults.length} in all:`, ...shown].join("\n");
}

async function readTally(file: string): Promise<TalliedRequest[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Whether every test file ran, and every test in it. */
async function isWholeRun({ vitest }: TestProject): Promise<boolean> {
  if (vitest.config.testNamePattern) return false;
  const all = await vitest.globTestSpecifications();
  return vitest.state.getPaths().length === all.length;
}
