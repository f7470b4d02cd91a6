import { Pool } from "pg";
import { createTestDatabase } from "../../service/test/database.ts";
import { openContractsOnce } from "../src/contracts/open-contracts.ts";
import type { VendorContract } from "../src/contracts/vendor-contract.ts";
import { createObjectTable } from "../src/kit/object-store.ts";
import { type RunningVendor, startVendor } from "../src/kit/start-vendor.ts";
import type { VendorSimulator } from "../src/kit/vendor-simulator.ts";

interface TestVendor extends RunningVendor {
  /** The URL of this vendor's database. */
  readonly databaseUrl: string;
}

/**
 * Starts a simulator on a free port with a new database. If the vendor's OpenAPI description is available, calls are
 * checked against it.
 */
export async function startTestVendor(
  simulator: VendorSimulator,
  options: { now?(): Date; contract?: VendorContract | null } = {},
): Promise<TestVendor> {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // Dropping the database terminates connections that `pool.end()` has not closed yet. Without a listener, their error
  // events would fail the test run.
  pool.on("error", () => {});
  await createObjectTable(pool);
  const contracts = options.contract === undefined ? await openContractsOnce() : null;
  const vendor = await startVendor(simulator, {
    pool,
    host: "127.0.0.1",
    port: 0,
    now: options.now ?? (() => new Date()),
    contract: options.contract ?? (await contracts?.contractOf(simulator)) ?? null,
  });
  const close = async () => {
    await vendor.close();
    await pool.end();
  };
  return { ...vendor, databaseUrl: database.url, close };
}
