import { chainPendingEntries } from "@purser/service/audit/chains/chain-pending-entries.ts";
import { openDatabase } from "@purser/service/db/database.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { fetchJson } from "./fetch-json.ts";
import { VERIFY_PATH } from "./paths.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import type { PurserReady } from "./servers/purser.ts";
import { createSigner } from "./signer.ts";
import type { Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);

/** This limit is high, because statements can be slow on a busy machine. */
const STATEMENT_MAX_MS = 60_000;

/** A newly started server that has not handled any request. */
export interface AuditServer {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros" | "residentBytes">;
  /** Calls `GET /audit/verify`. Throws unless the chain is valid and complete. */
  verify(): Promise<void>;
  stop(): Promise<void>;
}

export interface AuditScenario {
  readonly entries: number;
  startServer(): Promise<AuditServer>;
}

/**
 * Writes audit entries for one developer and chains them with Purser's own code. All servers that the scenario starts
 * use the same database, so they accept this developer's API key.
 */
export async function startAuditScenario(start: StartServer, stores: Stores, entries: number): Promise<AuditScenario> {
  const config = stores.configFor("audit");
  const { ready } = await start<PurserReady>(PURSER, config);
  await writeEntries(config.databaseUrl, ready.tenantId, entries);
  const signer = createSigner(ready);
  return {
    entries,
    startServer: async () => {
      const server = await start<PurserReady>(PURSER, config);
      return {
        process: server,
        stop: server.stop,
        verify: async () => {
          const headers = signer("GET", VERIFY_PATH);
          const result = await fetchJson(server.ready.origin, VERIFY_PATH, headers);
          if (result["valid"] !== true || result["entries_checked"] !== entries) {
            throw new Error(`The chain is not valid: ${JSON.stringify(result)}`);
          }
        },
      };
    },
  };
}

/** Inserts `env.pulled` entries, the most frequent kind. */
async function writeEntries(databaseUrl: string, tenantId: TenantId, entries: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query("select set_config('purser.tenant_id', $1, true)", [tenantId]);
  await client.query(
    `insert into audit_entries (tenant_id, audit_id, chain, mode, actor, action, subject, facts, request_id, occurred_at)
     select $1, 'aud_' || lpad(n::text, 26, '0'), 'tenant', 'live',
       jsonb_build_object('type', 'developer', 'id', $1::text, 'key_id', 'key_01kaj0v5xqfkzr9c1w4n5m8p2d', 'ip', '203.0.113.0/24'),
       'env.pulled', jsonb_build_object('type', 'project', 'id', 'proj_01kaj0v5xqfkzr9c1w4n5m8p2d'),
       jsonb_build_object('environment', 'production', 'version', n, 'count', 12, 'fingerprint', encode(sha256(n::text::bytea), 'hex')),
       'req_' || lpad(n::text, 26, '0'), now() + n * interval '1 second'
     from generate_series(1, $2::integer) n`,
    [tenantId, entries],
  );
  await client.query(
    "insert into audit_pending select tenant_id, audit_id, chain from audit_entries where tenant_id = $1",
    [tenantId],
  );
  await client.query("commit");
  await client.end();

  const timeouts = { statementTimeoutMs: STATEMENT_MAX_MS, readTimeoutMs: STATEMENT_MAX_MS };
  const db = openDatabase({
    url: databaseUrl,
    connectionsMax: { requests: 1, authentication: 1, jobs: 1 },
    connectTimeoutMs: STATEMENT_MAX_MS,
    ...timeouts,
    onError: () => {},
  });
  await chainPendingEntries(db, { tenantId, chain: "tenant" });
  await db.destroy();
}
