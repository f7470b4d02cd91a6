import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import { fetchJson } from "../fetch-json.ts";
import { CALLERS, payersInTurn, paymentsOf, WALLETS_PATH } from "./payers.ts";
import type { PayingTenant } from "./seed-payers.ts";

/** The pause between two freezes, so that the freezes themselves are little load. */
const PAUSE_MS = 20;
const JSON_TYPE = { "content-type": "application/json" };

export interface FreezeFigures {
  readonly freezes: number;
  readonly payments: number;
  /** Payments that a freeze refused. */
  readonly refused: number;
  readonly paymentP50Ms: number;
  readonly paymentP99Ms: number;
  readonly freezeP50Ms: number;
  readonly freezeP99Ms: number;
}

/**
 * Freezes and unfreezes the wallets that pay, one after another, while all of them pay. Only the freezes are measured. A
 * payment may be refused because its wallet is frozen.
 */
export async function measureFreezes(
  { origin, tenants }: { readonly origin: string; readonly tenants: readonly PayingTenant[] },
  seconds: number,
): Promise<FreezeFigures> {
  const sent = paymentsOf(tenants);
  const load = autocannon({
    url: origin,
    connections: CALLERS,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...sent() }) }],
  });
  const endsMs = performance.now() + (seconds - 0.5) * 1_000;
  const durationsMs: number[] = [];
  for (const payer of payersInTurn(tenants)) {
    if (performance.now() >= endsMs) break;
    durationsMs.push(await freezeAndUnfreeze(origin, payer));
    await wait(PAUSE_MS);
  }
  const { requests, latency, errors, non2xx, statusCodeStats } = await load;
  const refused = statusCodeStats["403"]?.count ?? 0;
  if (errors > 0 || non2xx > refused) {
    throw new Error(`During freezes: ${errors} errors, ${non2xx - refused} unexpected responses.`);
  }
  durationsMs.sort((a, b) => a - b);
  const at = (share: number) => durationsMs[Math.floor(durationsMs.length * share)] ?? Number.NaN;
  return {
    freezes: durationsMs.length,
    payments: requests.total,
    refused,
    paymentP50Ms: latency.p50,
    paymentP99Ms: latency.p99,
    freezeP50Ms: at(0.5),
    freezeP99Ms: at(0.99),
  };
}

/** Returns the milliseconds that the freeze took. */
async function freezeAndUnfreeze(
  origin: string,
  { signer, walletId }: ReturnType<typeof payersInTurn>[number],
): Promise<number> {
  const post = async (action: string, content: object) => {
    const path = `${WALLETS_PATH}/${walletId}/${action}`;
    const body = JSON.stringify(content);
    return fetchJson(origin, path, { ...signer("POST", path, body), ...JSON_TYPE }, body);
  };
  const startedMs = performance.now();
  await post("freeze", { reason: "anomaly" });
  const durationMs = performance.now() - startedMs;
  await post("unfreeze", {});
  return durationMs;
}
