import { startWalletChain } from "../test-support/wallet-chain.ts";
import { traceAll, traceTable } from "../trace/report.ts";
import { writeSection } from "./readme-section.ts";

/** Checks the validation of operations, writes a table to `contracts/README.md`, and fails if a rule is broken. */
const chain = await startWalletChain();
try {
  const rows = await traceAll(chain);
  const table = traceTable(rows);
  await writeSection("trace", table);
  console.log(table);
  if (rows.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
} finally {
  await chain.local.stop();
}
