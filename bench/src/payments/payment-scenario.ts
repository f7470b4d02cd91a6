import { deepStrictEqual } from "node:assert/strict";
import type { Pair } from "../compare.ts";
import { fetchJson } from "../fetch-json.ts";
import { effectOf } from "../pairs/effect-of.ts";
import { PROFILE_PATH } from "../paths.ts";
import type { ServerProcess, StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { type NextRequest, roundRobin } from "../signer.ts";
import type { Stores } from "../stores.ts";
import type { BaselinePaymentsInput } from "./baseline-payments.ts";
import { CALLERS, payersInTurn, paymentsOf, seedPayers, WALLETS_PATH } from "./payers.ts";
import type { PayingTenant } from "./seed-payers.ts";
import { openTransfers } from "./transfer-calls.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
const BASELINE = new URL("./baseline-payments.ts", import.meta.url);
const TITLE = `payments/send over HTTP, ${CALLERS} callers, 1000 wallets`;

/** A Purser server, and agents that pay. */
export interface PaymentScenario {
  readonly tenants: readonly PayingTenant[];
  readonly process: ServerProcess<PurserReady>;
  readonly origin: string;
  readonly pairs: readonly Pair[];
  close(): Promise<void>;
}

/**
 * Starts servers that pay from the same wallets. The baseline's rows are in the same tables, so both write to indexes of
 * the same size.
 */
export async function startPaymentScenario(start: StartServer, stores: Stores): Promise<PaymentScenario> {
  const tenants = await seedPayers(start, stores);
  // Both servers remember nonces only in memory.
  const config = { ...stores.configFor("payments"), claimsFile: null };
  const purser = await start<PurserReady>(PURSER, config);
  const input: BaselinePaymentsInput = {
    developers: tenants,
    databaseUrl: config.databaseUrl,
    connectionsMax: config.databaseConnectionsMax.requests,
    statementKey: config.statementKey,
  };
  const baseline = await start<{ readonly origin: string }>(BASELINE, input);
  const { origin } = purser.ready;
  await payOnceEach(stores, origin, tenants);
  await checkSameEffect(stores, { purser: origin, baseline: baseline.ready.origin }, tenants);

  const transfers = await openTransfers(stores);
  const sent = paymentsOf(tenants);
  const target = { process: purser, origin, connections: CALLERS };
  const candidate = { ...target, name: "Purser", sent };
  const payers = payersInTurn(tenants);
  const balances = payers.map(({ signer, walletId }) => ({
    signer,
    path: `${WALLETS_PATH}/${walletId}/balance`,
  }));
  const profiles = payers.map(({ signer }) => ({ signer, path: PROFILE_PATH }));
  return {
    tenants,
    process: purser,
    origin,
    pairs: [
      {
        title: `${TITLE} ÷ baseline (node:http, pg)`,
        goal: 0.6,
        candidate,
        baseline: {
          ...{ name: "baseline", process: baseline, origin: baseline.ready.origin },
          ...{ connections: CALLERS, sent },
        },
      },
      {
        title: `${TITLE} ÷ minimal transfer (pg) in five round trips`,
        goal: 0.25,
        candidate,
        baseline: transfers.inFiveRoundTrips,
      },
      {
        title: `${TITLE} ÷ minimal transfer (pg) in one statement`,
        goal: 0.25,
        candidate,
        baseline: transfers.inOneStatement,
      },
      {
        title: "GET /wallets/{id}/balance ÷ GET /developers/me, both signed",
        goal: 0.5,
        candidate: { ...target, name: "balance", sent: roundRobin(balances) },
        baseline: { ...target, name: "profile", sent: roundRobin(profiles) },
      },
    ],
    close: () => transfers.close(),
  };
}

/**
 * Lets every agent pay once, so that the budget of its limit exists. Then updates the statistics of the tables: plans that
 * were made for empty tables would be used until autovacuum comes.
 */
export async function payOnceEach(stores: Stores, origin: string, tenants: readonly PayingTenant[]): Promise<void> {
  const next = paymentsOf(tenants);
  const count = payersInTurn(tenants).length;
  for (let sent = 0; sent < count; sent += CALLERS) {
    const batch = Array.from({ length: Math.min(CALLERS, count - sent) }, () => send(origin, next));
    await Promise.all(batch);
  }
  await stores.asSuperuser(async (client) => void (await client.query("vacuum analyze")));
}

async function send(origin: string, next: NextRequest) {
  const { path, headers, body } = next();
  return fetchJson(origin, path, headers, body);
}

/**
 * Throws if a payment of one server writes other numbers of rows than a payment of the other, or if the fields of the
 * responses differ. A comparison would then not be valid.
 */
async function checkSameEffect(
  stores: Stores,
  origins: { readonly purser: string; readonly baseline: string },
  tenants: readonly PayingTenant[],
): Promise<void> {
  const next = paymentsOf(tenants);
  const expected = await effectOf(stores, () => send(origins.purser, next));
  deepStrictEqual(await effectOf(stores, () => send(origins.baseline, next)), expected);
}
