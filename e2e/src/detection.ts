import { parseArgs } from "node:util";
import { FLAWS, type Flaw } from "../detection/flaws.ts";
import { copyTree, type TreeCopy } from "./detection/copy-tree.ts";
import { runTest, type Verdict } from "./detection/run-test.ts";

/**
 * `npm run detection`: applies each of fifteen known flaws to a copy of the project and runs the test that must then fail.
 * `npm test` shows that the test passes without the flaw. Exits with 1 if a test does not fail.
 */

/** Number of copies of the project, which are tested in parallel. */
const COPIES = 2;

interface DetectionResult extends Flaw {
  readonly verdict: Verdict | "the patch no longer applies";
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  console.log(`Usage: npm run detection -- [options]

Applies each of fifteen known flaws to a copy of the project and runs the test that must fail with it.
Exits with 1 if a test does not fail.

  --only N  run one flaw, by its number
  --json    print one JSON document`);
  process.exit();
}

const selected = FLAWS.filter(({ number }) => values.only === undefined || String(number) === values.only);
const results = await detectAll(selected);

if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else {
  const detected = results.filter(isDetected).length;
  process.stdout.write(`\n${detected} of ${results.length} detected.\n`);
}
process.exitCode = results.length > 0 && results.every(isDetected) ? 0 : 1;

/**
 * Checks in parallel whether the tests detect each flaw. Each worker applies one flaw at a time to its own copy of the
 * source tree.
 */
async function detectAll(flaws: readonly Flaw[]): Promise<DetectionResult[]> {
  const remaining = [...flaws];
  const results: DetectionResult[] = [];
  const workers = Array.from({ length: Math.min(COPIES, flaws.length) }, async () => {
    const copy = await copyTree();
    try {
      for (let flaw = remaining.shift(); flaw !== undefined; flaw = remaining.shift()) {
        const result = await detect(copy, flaw);
        results.push(result);
        if (!values.json) process.stdout.write(`${lineOf(result)}\n`);
      }
    } finally {
      await copy.remove();
    }
  });
  await Promise.all(workers);
  return results.sort((a, b) => a.patch.localeCompare(b.patch));
}

async function detect(copy: TreeCopy, flaw: Flaw): Promise<DetectionResult> {
  const startedAt = performance.now();
  const patch = `e2e/detection/${flaw.patch}`;
  const applied = await copy.apply(patch).then(
    () => true,
    () => false,
  );
  const verdict = applied ? await runTest(copy.folder, flaw) : "the patch no longer applies";
  if (applied) await copy.revert(patch);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { ...flaw, verdict, seconds };
}

function isDetected({ verdict }: DetectionResult): boolean {
  return verdict === "failed";
}

function lineOf(result: DetectionResult): string {
  const { number, flaw, group, test, verdict, seconds } = result;
  const outcome = isDetected(result) ? "detected" : `NOT DETECTED (${verdict})`;
  return `${String(number).padStart(2)}  ${flaw}\n    ${group}: ${test}\n    ${outcome}, ${seconds} s`;
}
