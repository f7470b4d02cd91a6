import { type Db, openDatabase } from "@purser/service/db/database.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import pg from "pg";

/** The number of callers of each function in a comparison. */
export const CALLERS = 16;
/** Timeouts are long, because statements can be slow on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Connections to the same database for Purser and for the baseline, with the same role. */
export interface Pools {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export function openPools(databaseUrl: string): Pools {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CALLERS });
  const db = openDatabase({
    url: databaseUrl,
    connectionsMax: { requests: CALLERS, authentication: 1, jobs: 1 },
    statementTimeoutMs: TIMEOUT_MS,
    readTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
    onError: () => {},
  });
  return {
    db,
    pool,
    close: async () => {
      await Promise.all([pool.end(), db.destroy()]);
    },
  };
}

/** Runs the statements in one transaction of the tenant. Returns the number of rows of the last one. */
export async function runBaseline(
  pool: pg.Pool,
  tenantId: TenantId,
  ...statements: readonly pg.QueryConfig[]
): Promise<number> {
  const client = await pool.connect();
  await client.query(`begin; select set_config('purser.tenant_id', ${client.escapeLiteral(tenantId)}, true)`);
  let rowCount: number | null = 0;
  for (const statement of statements) ({ rowCount } = await client.query(statement));
  await client.query("commit");
  client.release();
  return rowCount ?? 0;
}
