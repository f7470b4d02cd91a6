import { readFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { openContracts } from "../../../simulators/src/contracts/open-contracts.ts";
import { type TalliedRequest, VENDOR_TALLY_FILE } from "../../../simulators/src/kit/tally.ts";

const FAILURES_SHOWN_MAX = 5;

/** Sets the file in which every process of the test run records the adapters' requests to the simulators. */
export function startVendorTally(file: string): void {
  // Workers and their child processes inherit this variable.
  process.env[VENDOR_TALLY_FILE] = file;
}

/**
 * Prints the number of requests per vendor. Throws if requests or responses do not match the vendors' API descriptions.
 */
export async function reportVendorTally(file: string, project: TestProject): Promise<void> {
  const { sentence, failure } = judgeTally(await readTally(file), {
    isDescribed: (await openContracts()) !== null,
    isWholeRun: await isWholeRun(project),
  });
  if (sentence) process.stdout.write(`${sentence}\n\n`);
  if (failure) throw new Error(failure);
}

/**
 * Returns a summary of the recorded requests in `sentence`. If the test run must fail, `failure` contains the reason.
 * If the vendors' API descriptions are installed, a complete run without recorded requests must fail, because it did
 * not check any adapter.
 */
export function judgeTally(
  requests: readonly TalliedRequest[],
  run: { readonly isDescribed: boolean; readonly isWholeRun: boolean },
): { readonly sentence?: string; readonly failure?: string } {
  if (!run.isDescribed)
    return run.isWholeRun
      ? {
          sentence: "vendor requests were not compared with the vendors' descriptions: none are installed",
        }
      : {};
  const requested = requests.filter(({ mark }) => mark !== "bad-answer");
  if (requested.length === 0)
    return run.isWholeRun ? { failure: "No request of an adapter was compared with a vendor's description." } : {};
  const failures = requests.filter(({ mark }) => mark !== "valid");
  const sentence = sentenceOf(requested);
  return failures.length === 0 ? { sentence } : { sentence, failure: failureOf(failures) };
}

function sentenceOf(requested: readonly TalliedRequest[]): string {
  const invalid = requested.filter(({ mark }) => mark === "invalid").length;
  const byVendor = [...Map.groupBy(requested, ({ vendor }) => vendor)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([vendor, theirs]) => `${vendor} ${theirs.length}`);
  return (
    "vendor requests compared with the vendors' descriptions: " +
    `${requested.length - invalid} valid, ${invalid} invalid (${byVendor.join(", ")})`
  );
}

function failureOf(failures: readonly TalliedRequest[]): string {
  const shown = failures
    .slice(0, FAILURES_SHOWN_MAX)
    .map(({ vendor, mark, detail }) => `  ${vendor}, ${mark}: ${detail}`);
  return [`Mismatches with the vendors' descriptions: ${failures.length}`, ...shown].join("\n");
}

async function readTally(file: string): Promise<TalliedRequest[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Returns true if every test in every test file ran. */
export async function isWholeRun({ vitest }: TestProject): Promise<boolean> {
  if (vitest.config.testNamePattern) return false;
  const all = await vitest.globTestSpecifications();
  return vitest.state.getPaths().length === all.length;
}
