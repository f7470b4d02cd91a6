import { spawnSync } from "node:child_process";
import path from "node:path";
import { deployPython } from "../e2e/src/image/deploy-tools.ts";

/** `npm run check:migrations`: Squawk finds migrations that lock a table for long. `.squawk.toml` has its settings. */
const ROOT = path.join(import.meta.dirname, "..");
const squawk = path.join(path.dirname(await deployPython()), "squawk");

// A migration whose name ends so is not run in a transaction, so that it can build an index without a lock.
const RUNS = [
  ["service/src/db/migrations/*.sql"],
  [
    ...["--no-assume-in-transaction", "--no-error-on-unmatched-pattern", "--exclude-path", "none"],
    "service/src/db/migrations/*.concurrently.sql",
  ],
];
for (const args of RUNS) {
  const { status } = spawnSync(squawk, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
