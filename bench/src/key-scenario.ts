import type { Client } from "pg";
import { DEVELOPERS, seedDevelopers } from "./developers.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import type { PurserReady } from "./servers/purser.ts";
import { createSigner, type Signer } from "./signer.ts";
import type { Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);

const MANY_KEYS = 1_000_000;
/** Number of API keys that `fillWithKeys` adds for each new developer. An account cannot have more. */
const KEYS_PER_OTHER_DEVELOPER = 100;

/** A server whose database contains `keys` API keys. It has not cached the signers' keys yet. */
export interface KeyServer {
  readonly keys: number;
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros">;
  readonly origin: string;
  readonly signers: readonly Signer[];
}

export interface KeyScenario {
  readonly few: KeyServer;
  readonly many: KeyServer;
}

export async function startKeyScenario(
  start: StartServer,
  { few, many }: { readonly few: Stores; readonly many: Stores },
): Promise<KeyScenario> {
  return {
    few: await startKeyServer(start, few, DEVELOPERS),
    many: await startKeyServer(start, many, MANY_KEYS),
  };
}

async function startKeyServer(start: StartServer, stores: Stores, keys: number): Promise<KeyServer> {
  const developers = await seedDevelopers(start, stores);
  await stores.asSuperuser((client) => fillWithKeys(client, keys));
  const server = await start<PurserReady>(PURSER, stores.configFor("keys"));
  const { origin } = server.ready;
  return { keys, process: server, origin, signers: developers.map(createSigner) };
}

/**
 * Adds copies of an existing key to `api_keys` until the table has `keys` rows. No request uses the copies. Foreign
 * keys and triggers are disabled, because checking a million inserted rows takes too long.
 */
async function fillWithKeys(client: Client, keys: number): Promise<void> {
  const { rows } = await client.query("select count(*)::integer as present from api_keys");
  const missing = keys - Number(rows[0]?.present);
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into developers (tenant_id, email, status, created_at, updated_at)
     select 'dev_other' || lpad(n::text, 21, '0'), n || '@other.example.com', 'active', now(), now()
     from generate_series(0, ceil($1::numeric / $2)::integer - 1) n`,
    [missing, KEYS_PER_OTHER_DEVELOPER],
  );
  await client.query(
    `insert into api_keys (tenant_id, key_id, mode, name, key_hash, key_hint, signature_alg, signing_key_sealed, scopes, created_by, created_at, updated_at)
     select 'dev_other' || lpad((n / $2)::text, 21, '0'), 'key_' || lpad(n::text, 26, '0'), 'live', 'other', encode(sha256(n::text::bytea), 'hex'),
       like_it.key_hint, like_it.signature_alg, like_it.signing_key_sealed, like_it.scopes, like_it.created_by, now(), now()
     from generate_series(0, $1::integer - 1) n, (select * from api_keys limit 1) like_it`,
    [missing, KEYS_PER_OTHER_DEVELOPER],
  );
  await client.query(
    `insert into api_key_lookups (key_hash, tenant_id, key_id)
     select key_hash, tenant_id, key_id from api_keys where name = 'other' order by key_hash`,
  );
  // Without these statements, a vacuum or a checkpoint could run during the measurement.
  await client.query("vacuum analyze developers, api_keys, api_key_lookups");
  await client.query("checkpoint");
}
