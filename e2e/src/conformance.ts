import { parseArgs } from "node:util";
import { recordExamples } from "./conformance/examples.ts";
import { type Row, runConformance } from "./conformance/run-conformance.ts";

/**
 * `npm run conformance`: compares the responses of each operation with docs/rules and the OpenAPI document. Prints a
 * table, or one JSON document with `--json`.
 */

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  console.log(`Usage: npm run conformance -- [options]

Calls every operation with each kind of credential and compares the responses with the OpenAPI document.
Exits with 1 if a response differs.

  --json    print one JSON document
  --record  write the bodies of the calls into openapi/examples.json, for operations that have no valid example`);
  process.exit();
}

const print = (row: Row) => {
  const { operation, credential, expected, actual, undeclared, ok } = row;
  const verdict = ok ? "ok" : ["WRONG", ...undeclared].join(", ");
  const cells = [operation.padEnd(66), credential.padEnd(34), `${expected}`.padStart(8)];
  process.stdout.write(`${cells.join("  ")}  ${`${actual}`.padStart(6)}  ${verdict}\n`);
};

if (!values.json) {
  process.stdout.write(`${"operation".padEnd(66)}  ${"credential".padEnd(34)}  ${"expected".padStart(8)}  actual\n`);
}
const { rows, missing, undeclaredRequestHeaders, examples } = await runConformance(values.json ? () => {} : print);
const wrong = rows.filter(({ ok }) => !ok);
if (values.record) recordExamples(examples);
if (values.json) process.stdout.write(`${JSON.stringify({ rows, missing, undeclaredRequestHeaders }, null, 2)}\n`);
else {
  for (const route of missing) process.stdout.write(`${route}  is not called\n`);
  for (const name of undeclaredRequestHeaders) {
    process.stdout.write(`request header ${name} is not in the OpenAPI document\n`);
  }
  const operations = new Set(rows.map(({ operation }) => operation)).size;
  process.stdout.write(
    `\n${operations} operations, ${rows.length} calls: ${rows.length - wrong.length} as expected, ${wrong.length} different; ${missing.length} operations not called.\n`,
  );
}
process.exitCode = wrong.length + missing.length + undeclaredRequestHeaders.length === 0 ? 0 : 1;
