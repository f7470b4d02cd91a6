import { parseArgs } from "node:util";
import { FLAWS, type Flaw } from "../detection/flaws.ts";
import { copyTree, type TreeCopy } from "./detection/copy-tree.ts";
import { runTest, type Verdict } from "./detection/run-test.ts";

/**
 * `npm run detection`: brings each of the specification's ten flaws into a copy of the project, and shows that the test
 * which guards against it fails there. That the test passes without the flaw is shown by `npm test`. Ends with 1 where one
 * does not fail.
 */
const COPIES = 2;

interface Proof extends Flaw {
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

Puts each of ten known flaws into a copy of the project, and runs the test that has to notice it.
Exits with 1 if one is not noticed.

  --only N  one flaw, by its number
  --json    print one JSON document`);
  process.exit();
}

const chosen = FLAWS.filter(
  ({ number }) => values.only === undefined || String(number) === values.only,
);
const proofs = await proveAll(chosen);

if (values.json) process.stdout.write(`${JSON.stringify(proofs, null, 2)}\n`);
else {
  const caught = proofs.filter(isCaught).length;
  process.stdout.write(`\n${caught} of ${proofs.length} caught.\n`);
}
process.exitCode = proofs.length > 0 && proofs.every(isCaught) ? 0 : 1;

/** Each copy takes the next flaw as soon as it is free. */
async function proveAll(flaws: readonly Flaw[]): Promise<Proof[]> {
  const waiting = [...flaws];
  const proofs: Proof[] = [];
  const workers = Array.from({ length: Math.min(COPIES, flaws.length) }, async () => {
    const copy = await copyTree();
    try {
      for (let flaw = waiting.shift(); flaw !== undefined; flaw = waiting.shift()) {
        const proof = await prove(copy, flaw);
        proofs.push(proof);
        if (!values.json) process.stdout.write(`${lineOf(proof)}\n`);
      }
    } finally {
      await copy.remove();
    }
  });
  await Promise.all(workers);
  return proofs.sort((a, b) => a.patch.localeCompare(b.patch));
}

async function prove(copy: TreeCopy, flaw: Flaw): Promise<Proof> {
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

function isCaught({ verdict }: Proof): boolean {
  return verdict === "failed";
}

function lineOf(proof: Proof): string {
  const { number, flaw, group, test, verdict, seconds } = proof;
  const outcome = isCaught(proof) ? "caught" : `NOT CAUGHT (${verdict})`;
  return `${String(number).padStart(2)}  ${flaw}\n    ${group}: ${test}\n    ${outcome}, ${seconds} s`;
}
