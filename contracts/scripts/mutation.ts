import { parseArgs } from "node:util";
import type { Fault } from "../mutations/fault.ts";
import { FAULTS } from "../mutations/faults.ts";
import { copyWorkspace, type WorkspaceCopy } from "../mutations/workspace-copy.ts";

/**
 * `npm run contracts:mutation`: applies each fault to a copy of the contracts and runs the tests, of which one must
 * fail. First checks that all tests pass without a fault.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    jobs: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  process.stdout.write(`Usage: npm run contracts:mutation -- [options]

Applies each fault in contracts/mutations/faults to a copy of the contracts, one at a time, and runs the tests.
Exits with 1 if no test catches a fault, unless its entry says why none can.

  --only ID  apply one fault; can be repeated
  --jobs N   copies that are tested in parallel, 2 by default
  --json     print one JSON document
`);
  process.exit();
}

type Verdict = "caught" | "NOT CAUGHT" | "does not compile";

interface Result extends Pick<Fault, "id" | "meaning" | "equivalentBecause"> {
  readonly source: string;
  readonly verdict: Verdict;
  /** The test that caught the fault. */
  readonly test?: string;
  readonly seconds: number;
}

const selected = FAULTS.flatMap(({ source, faults }) => faults.map((fault) => ({ source, fault }))).filter(
  ({ fault }) => values.only?.includes(fault.id) ?? true,
);
const jobs = Math.min(Number(values.jobs), selected.length);
const unknown = values.only?.find((id) => !selected.some(({ fault }) => fault.id === id));
if (unknown !== undefined) throw new Error(`There is no fault ${unknown}.`);
if (!(jobs >= 1)) throw new Error("--jobs must be a number, at least 1.");
const results = await tryAll(await Promise.all(Array.from({ length: jobs }, copyWorkspace)));

const unexpected = results.filter((result) => !isExpected(result));
if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else {
  const caught = results.filter(({ verdict }) => verdict === "caught").length;
  process.stdout.write(`\n${caught} of ${results.length} faults caught.\n`);
  for (const result of unexpected) process.stdout.write(`${lineOf(result)}\n`);
}
process.exitCode = unexpected.length === 0 ? 0 : 1;

/** Each copy has one fault at a time, until all were applied. */
async function tryAll(copies: readonly WorkspaceCopy[]): Promise<Result[]> {
  const remaining = [...selected];
  const results: Result[] = [];
  try {
    await Promise.all(copies.map(requirePassingTests));
    await Promise.all(
      copies.map(async (copy) => {
        for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
          const result = await tryFault(copy, next.source, next.fault);
          results.push(result);
          if (!values.json) process.stdout.write(`${lineOf(result)}\n`);
        }
      }),
    );
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
  return results;
}

/** Also applies each fault once, so that a fault that no longer applies ends the run at its start. */
async function requirePassingTests(copy: WorkspaceCopy): Promise<void> {
  for (const { source, fault } of selected) {
    await copy.apply(source, fault);
    await copy.revert(source);
  }
  const failed = await copy.runTests();
  if (failed !== undefined) throw new Error(`Without a fault, this test fails: ${failed}`);
}

async function tryFault(copy: WorkspaceCopy, source: string, fault: Fault): Promise<Result> {
  const startedAt = performance.now();
  await copy.apply(source, fault);
  const verdict = await judge(copy);
  await copy.revert(source);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const { id, meaning, equivalentBecause } = fault;
  return {
    id,
    source,
    meaning,
    ...(equivalentBecause && { equivalentBecause }),
    ...verdict,
    seconds,
  };
}

async function judge(copy: WorkspaceCopy): Promise<Pick<Result, "verdict" | "test">> {
  if (!(await copy.build())) return { verdict: "does not compile" };
  const test = await copy.runTests();
  return test === undefined ? { verdict: "NOT CAUGHT" } : { verdict: "caught", test };
}

/** A fault that is said to be equivalent must not be caught: its entry would be wrong. */
function isExpected({ verdict, equivalentBecause }: Result): boolean {
  return verdict === (equivalentBecause === undefined ? "caught" : "NOT CAUGHT");
}

function lineOf(result: Result): string {
  const { id, verdict, test, meaning, equivalentBecause, seconds } = result;
  const detail = test ?? (equivalentBecause ? `accepted: ${equivalentBecause}` : meaning);
  return `${verdict.padEnd(10)} ${id}  ${detail}  (${seconds} s)`;
}
