import type { Client } from "pg";
import type { Pair } from "../compare.ts";
import { seedDevelopers } from "../developers.ts";
import { CONVERSIONS_PATH, PROFILE_PATH, RATE_PATH } from "../paths.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import type { Developer } from "../servers/seed-developer.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);

/** The developers whose conversions are listed. The servers send pages of the same size. */
const READERS = 50;
const PER_PAGE = 20;

/** Starts servers whose databases have a thousand and a million conversions, and a third for the comparison with a read. */
export async function startFiatPairs(
  start: StartServer,
  { few, many }: { readonly few: Stores; readonly many: Stores },
): Promise<Pair[]> {
  const fewServer = await startWithConversions(start, few, PER_PAGE);
  const manyServer = await startWithConversions(start, many, 1_000 * PER_PAGE);
  const process = await start<PurserReady>(PURSER, { ...few.configFor("same"), claimsFile: null });
  const target = ({ process: server, readers }: typeof fewServer, path: string, name: string) => ({
    ...{ name, process: server, origin: server.ready.origin },
    sent: roundRobin(readers.map((developer) => ({ signer: createSigner(developer), path }))),
  });
  const list = `${CONVERSIONS_PATH}?limit=${PER_PAGE}`;
  return [
    {
      title: "GET /fiat/rate ÷ GET /developers/me",
      goal: 0.5,
      candidate: target(fewServer, RATE_PATH, "rate"),
      baseline: target({ ...fewServer, process }, PROFILE_PATH, "profile"),
    },
    {
      title: `GET /fiat/conversions?limit=${PER_PAGE}, 1000000 conversions ÷ 1000`,
      goal: 0.85,
      candidate: target(manyServer, list, "1000000 conversions"),
      baseline: target(fewServer, list, "1000 conversions"),
    },
  ];
}

async function startWithConversions(start: StartServer, stores: Stores, conversions: number) {
  const readers = (await seedDevelopers(start, stores)).slice(0, READERS);
  await stores.asSuperuser((client) => fill(client, readers, conversions));
  const process = await start<PurserReady>(PURSER, { ...stores.configFor("fiat"), claimsFile: null });
  return { process, readers };
}

/** Inserts an account, a wallet and conversions of each developer. Foreign keys and triggers are disabled for speed. */
async function fill(client: Client, readers: readonly Developer[], conversions: number): Promise<void> {
  await client.query("set session_replication_role = replica");
  const tenants = [readers.map(({ tenantId }) => tenantId)];
  await client.query(
    `insert into fiat_accounts (tenant_id, account_id, mode, item_id, vendor_account_id, name, mask, type, subtype, status,
       verification_method, verification_status, created_at, updated_at)
     select tenant_id, 'ba_bench', 'live', 'item', 'account', 'Checking', '0000', 'depository', 'checking', 'verified', 'instant',
       'automatically_verified', now(), now() from unnest($1::text[]) as read (tenant_id)`,
    tenants,
  );
  await client.query(
    `insert into conversions (tenant_id, conversion_id, mode, direction, status, rank, account_id, wallet_id, network, address,
       asset, payment_rail, source_cents, fee_cents, ramp_owner, ramp_customer_id, timeline, created_at, updated_at)
     select tenant_id, 'conv_' || lpad(n::text, 26, '0'), 'live', 'on_ramp', 'completed', 4, 'ba_bench', 'wal_bench', 'base',
       '0x8ba1f109551bD432803012645Ac136ddd64DBA72', 'usdc', 'ach_push', 10000, 15, 'operator', 'customer',
       '[{"status": "completed", "at": "2026-11-27T00:00:00.000Z"}]', now() - n * interval '1 second', now()
     from unnest($1::text[]) as read (tenant_id), generate_series(1, $2::integer) n`,
    [...tenants, conversions],
  );
  // Without these statements, a vacuum or a checkpoint could run during the measurement.
  await client.query("vacuum analyze fiat_accounts, conversions");
  await client.query("checkpoint");
}
