import { randomUUID } from "node:crypto";
import { randomAddress } from "../../../service/test/wallets/seed-wallet.ts";
import { PASSWORD } from "../developers.ts";
import { fetchJson } from "../fetch-json.ts";
import { LOGIN_PATH, OVERVIEW_PATH } from "../paths.ts";
import type { StartServer } from "../server-process.ts";
import { createSigner, type NextRequest } from "../signer.ts";
import type { Stores } from "../stores.ts";
import type { PayingTenant, SeedPayersInput, SeedPayersReady } from "./seed-payers.ts";

const SEED = new URL("./seed-payers.ts", import.meta.url);
const JSON_TYPE = { "content-type": "application/json" };

export const SEND_PATH = "/api/v1/svc/payments/send";
export const WALLETS_PATH = "/api/v1/svc/wallets";
/** The number of connections that send payments. */
export const CALLERS = 16;
const TENANTS = 20;
export const PAYERS_PER_TENANT = 50;
const PAYEES_PER_PAYER = 10;

/** Creates the accounts in a separate process, so that the measured servers have not cached them. */
export async function seedPayers(start: StartServer, stores: Stores, tenants = TENANTS): Promise<PayingTenant[]> {
  const input: SeedPayersInput = {
    config: stores.configFor("seed"),
    tenants,
    payersPerTenant: PAYERS_PER_TENANT,
    password: PASSWORD,
  };
  const { ready, stop } = await start<SeedPayersReady>(SEED, input);
  await stop();
  return [...ready.tenants];
}

/**
 * Returns a function that builds payments of 0.01 USDC. Each request is another agent's, of another tenant than the
 * request before. An agent pays a few payees in turn.
 */
export function paymentsOf(tenants: readonly PayingTenant[]): NextRequest {
  const payers = payersInTurn(tenants);
  const payees = payers.map(() => randomAddress());
  let turn = 0;
  return () => {
    const { signer, agentId } = at(payers, turn);
    const round = Math.floor(turn / payers.length);
    const to = at(payees, turn + (round % PAYEES_PER_PAYER));
    turn += 1;
    // The reference makes requests of the same second differ, so that their signatures do too.
    const body = JSON.stringify({ agent_id: agentId, amount: "0.01", to, reference: `${turn}` });
    const headers = { ...signer("POST", SEND_PATH, body), ...JSON_TYPE };
    const keys = { "idempotency-key": randomUUID(), "x-agent-id": agentId };
    return { method: "POST", path: SEND_PATH, headers: { ...headers, ...keys }, body };
  };
}

/** Logs in as each tenant. Returns a function that reads the dashboard's overview, each time as another tenant. */
export async function overviewsOf(origin: string, tenants: readonly PayingTenant[]): Promise<NextRequest> {
  const headers: Record<string, string>[] = [];
  for (const { email } of tenants) {
    const { access_token } = await fetchJson(
      origin,
      LOGIN_PATH,
      JSON_TYPE,
      JSON.stringify({ email, password: PASSWORD }),
    );
    headers.push({ authorization: `Bearer ${access_token}`, "x-svc-mode": "test" });
  }
  let turn = 0;
  return () => {
    turn += 1;
    return { path: OVERVIEW_PATH, headers: at(headers, turn) };
  };
}

/** Returns the payers in an order in which neighbors have different tenants. */
export function payersInTurn(tenants: readonly PayingTenant[]) {
  const signers = tenants.map(createSigner);
  return Array.from({ length: PAYERS_PER_TENANT }, (_, number) =>
    tenants.map(({ payers }, index) => ({ ...at(payers, number), signer: at(signers, index) })),
  ).flat();
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("There are no payers.");
  return item;
}
