import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Purser } from "@purser/sdk";
import type { PaymentId, WalletId } from "@purser/service/foundation/ids.ts";
import { paymentRows } from "@purser/service/modules/payments/queries.ts";
import { findWalletForAdmin } from "@purser/service/modules/wallets/wallets.ts";
import { createThief } from "../../../local/src/demo/steal-key.ts";
import { createProgress } from "../../../local/src/progress.ts";
import { type LocalPurser, startLocal } from "../../../local/src/start-local.ts";
import type { Pair } from "../compare.ts";

const NETWORK = "base";
const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const RULES = [{ id: "all", effect: "allow", operation: "payment" }] as const;
const AMOUNT = "10000.00";
const LOOK_EVERY_MS = 10;
const NO_LIMITS = { PURSER_KEY_REQUESTS_PER_SECOND: "1000000", PURSER_KEY_BURST: "1000000" };
/** As many lanes has a wallet. */
const CALLERS = 8;

/** Compares live payments on a chain of this machine with payments in test mode, and with a script that needs no database. */
export async function startLivePaymentPairs(): Promise<{
  readonly pairs: readonly Pair[];
  close(): Promise<void>;
}> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-bench-"));
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o711);
  const purser = await startLocal({ dataDir, port: 0, limits: NO_LIMITS, progress: createProgress(() => {}) });
  const close = async () => {
    await purser.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { pairs: await createPairs(purser), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createPairs(purser: LocalPurser): Promise<readonly Pair[]> {
  const live = await createPayer(purser, "live");
  const test = await createPayer(purser, "test");
  const other = await createPayer(purser, "live");
  await other.payAndWait();
  const thief = await createThief(purser.app, other.walletId, `${purser.networksUrl}/${NETWORK}`, PAYEE);
  const confirmed = { name: "Purser, until confirmed", callers: 1, call: live.payAndWait };
  return [
    {
      title: "send in live mode until confirmed ÷ signing, handleOps and its receipt",
      goal: 0.5,
      candidate: confirmed,
      baseline: {
        ...{ name: "script", callers: 1 },
        call: async () => void (await thief.sendToEntryPoint(await thief.sign())),
      },
    },
    {
      title: `send in live mode until confirmed, ${CALLERS} callers of one wallet ÷ 1`,
      goal: 4,
      candidate: { ...confirmed, name: `${CALLERS} callers`, callers: CALLERS },
      baseline: { ...confirmed, name: "1 caller" },
    },
    {
      title: "send in live mode, while the payments are executed ÷ in test mode",
      goal: 0.8,
      candidate: { name: "live", callers: 1, call: live.pay },
      baseline: { name: "test", callers: 1, call: test.pay },
    },
  ];
}

/** Creates an agent whose wallet has 10,000 USDC. */
async function createPayer({ app, baseUrl, networksUrl, demo }: LocalPurser, mode: "live" | "test") {
  const { api_key: apiKey, api_secret: apiSecret } = demo[mode];
  const client = new Purser({ baseUrl, apiKey, apiSecret });
  const { policy_id } = await client.policies.create({ name: "bench", rules: [...RULES] });
  const { agent_id } = await client.agents.create({ name: "bench", policy_id });
  const { wallet_id, address } = await client.wallets.create({ agent_id, network: NETWORK });
  if (mode === "test") {
    await client.wallets.fund(wallet_id, { amount: AMOUNT });
  } else {
    await fetch(`${networksUrl}/${NETWORK}/mint`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address, amount: AMOUNT }),
    });
    while ((await client.wallets.get(wallet_id)).balances[0]?.available === "0.00") await delay(LOOK_EVERY_MS);
  }
  const { tenantId } = await findWalletForAdmin(app.db, wallet_id as WalletId);
  // Two equal requests in the same second have the same signature, and the second one waits.
  const send = () => client.payments.send({ agent_id, amount: "0.01", to: PAYEE, reference: randomUUID() });
  return {
    walletId: wallet_id as WalletId,
    pay: async () => void (await send()),
    payAndWait: async () => {
      const { payment_id } = await send();
      for (;;) {
        // A request for each look would need more time than the payment.
        const { status } = await paymentRows.get(app.db, { tenantId, paymentId: payment_id as PaymentId });
        if (status === "confirmed") return;
        if (status === "failed" || status === "dropped") throw new Error(`A payment is ${status}.`);
        await delay(LOOK_EVERY_MS);
      }
    },
  };
}
