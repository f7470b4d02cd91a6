import { setTimeout as delay } from "node:timers/promises";
import { APIError, Purser } from "@purser/sdk";
import type { WalletId } from "@purser/service/foundation/ids.ts";
import { createPublicClient, formatGwei, http } from "viem";
import type { DemoContext } from "./run-demo.ts";
import { createThief } from "./steal-key.ts";

const NETWORK = "base";
const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const THIEF = "0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec";
/** A freeze and an unfreezing begin an epoch each. */
const EPOCHS_OF_A_FREEZE = 2n;
const RULES = [{ id: "all", effect: "allow", operation: "payment" }] as const;
const POLLS_MAX = 300;
const POLL_MS = 100;
/** What becomes of the payments that a thief has signed, at the bundler and at the EntryPoint. */
const FROZEN = ["refused: -32500 AA23", "refused: AccountFrozen, reverted"] as const;
const STALE = ["refused: -32500 AA23", "refused: StaleEpoch, reverted"] as const;
const WRONG_SIGNATURE = ["refused: -32507 AA24", "refused: AA24 signature error, reverted"] as const;

interface WalletScene extends DemoContext {
  readonly developer: Purser;
  readonly agentId: string;
  readonly walletId: WalletId;
}

/**
 * Shows a live wallet on a chain of this machine: USDC is minted and credited, the wallet pays before its account is deployed,
 * pays again, and pays eight at once. A payment over the daily limit of the account fails. Then someone has stolen the wallet's key:
 * after a freeze on the chain, neither the bundler nor the EntryPoint executes what the thief has signed, also not after the
 * unfreezing. Throws if anything else happens.
 */
export async function showWallets(context: DemoContext): Promise<void> {
  const { steps } = context;
  const developer = new Purser(context.credentials);
  const agentId = await steps.do("Create an agent", async () => {
    const { policy_id } = await developer.policies.create({ name: "wallets", rules: [...RULES] });
    const agent = await developer.agents.create({ name: "buyer", policy_id });
    return { result: agent.agent_id, message: agent.agent_id };
  });
  const { walletId, address } = await steps.do("Create its live wallet", async () => {
    const made = await developer.wallets.create({ agent_id: agentId, network: NETWORK });
    const message = `${made.address} on ${made.network}, ${made.deployment_status}`;
    return { result: { walletId: made.wallet_id, address: made.address }, message };
  });
  const scene = { ...context, developer, agentId, walletId: walletId as WalletId };
  await mint(scene, address);
  await pay(scene, "It pays, and deploys its account", "5.00");
  await pay(scene, "It pays again", "5.00");
  await payEightAtOnce(scene);
  await pay(scene, "It pays more than its daily limit", "10000.01", "failed wallet_limit_exceeded");
  await freezeAndUnfreeze(scene);
  await steps.do("Compare the ledger with the chain", async () => {
    const { source, balances } = await developer.wallets.balance(walletId, { refresh: true });
    const [usdc] = balances;
    requireOutcome(`${usdc?.total} ${usdc?.available}`, "19981.00 19981.00");
    return { result: usdc, message: `${usdc?.total} USDC on the ${source}, ${usdc?.available} in the ledger` };
  });
}

async function mint({ steps, developer, walletId, networksUrl }: WalletScene, address: string): Promise<void> {
  await steps.do("Mint USDC for it on the chain", async () => {
    const response = await fetch(`${networksUrl}/${NETWORK}/mint`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address, amount: "20000.00" }),
    });
    const { transaction_hash: hash, amount } = Object(await response.json());
    if (!response.ok) throw new Error(`Nothing was minted: HTTP ${response.status}.`);
    return { result: hash, message: `${amount} USDC, transaction ${await gasOf(networksUrl, hash)}` };
  });
  await steps.do("Wait until it is credited", async () => {
    const available = await untilFound(async () => {
      const { balances } = await developer.wallets.get(walletId);
      return balances[0]?.available === "0.00" ? undefined : balances[0]?.available;
    });
    return { result: available, message: `${available} USDC available` };
  });
}

async function pay(scene: WalletScene, what: string, amount: string, expected = "confirmed"): Promise<void> {
  await scene.steps.do(what, async () => {
    const message = await paid(scene, amount, expected);
    return { result: message, message };
  });
}

async function payEightAtOnce(scene: WalletScene): Promise<void> {
  await scene.steps.do("It pays eight at once", async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => paid(scene, "1.00", "confirmed")));
    return { result: payments, message: payments.join("\n     ") };
  });
}

async function freezeAndUnfreeze(scene: WalletScene): Promise<void> {
  const { steps, developer, agentId, walletId, app, networksUrl } = scene;
  const thief = await createThief(app, walletId, `${networksUrl}/${NETWORK}`, THIEF);
  /** Tries to have a payment executed by the bundler, and without it. */
  const attack = async (
    what: string,
    payment: Awaited<ReturnType<typeof thief.sign>>,
    [byBundler, byEntryPoint]: readonly [string, string],
  ) => {
    await steps.do(`${what}: bundler`, async () => {
      const message = await thief.sendToBundler(payment);
      // Other bundlers put words before the reason of the EntryPoint.
      requireOutcome(message.replace(/(-\d+) .*(AA\d\d)/, "$1 $2"), byBundler);
      return { result: undefined, message };
    });
    await steps.do(`${what}: handleOps`, async () => {
      const { hash, outcome } = await thief.sendToEntryPoint(payment);
      requireOutcome(outcome, byEntryPoint);
      return { result: undefined, message: `${outcome}, transaction ${await gasOf(networksUrl, hash)}` };
    });
  };
  const [signed, signedForLater] = await steps.do("A thief of its key signs payments", async () => {
    const payments = [await thief.sign(), await thief.sign(EPOCHS_OF_A_FREEZE)] as const;
    return { result: payments, message: "1.00 USDC for the present epoch, 1.00 USDC for the one after the unfreezing" };
  });
  await steps.do("Freeze the wallet on the chain", async () => {
    const { status, onchain } = await developer.wallets.freezeOnChain(walletId, { reason: "suspected_compromise" });
    requireOutcome(onchain.status, "confirmed");
    return {
      result: status,
      message: `${onchain.status}, transaction ${await gasOf(networksUrl, onchain.tx_hash ?? "")}`,
    };
  });
  await attack("Signed before", signed, FROZEN);
  await attack("While it is frozen", await thief.sign(), FROZEN);
  await steps.do("It pays", async () => {
    const refusal = await developer.payments
      .send({ agent_id: agentId, amount: "1.00", to: PAYEE })
      .catch((error) => error);
    const message = refusal instanceof APIError ? `${refusal.status} ${refusal.code}` : "paid";
    requireOutcome(message, "403 wallet_frozen");
    return { result: undefined, message };
  });
  await steps.do("Unfreeze the wallet", async () => {
    await developer.wallets.unfreeze(walletId, { note: "The key was not stolen.", review_reference: "case-1" });
    const { status, freeze } = await developer.wallets.get(walletId);
    requireOutcome(status, "active");
    return {
      result: status,
      message: `${status}, transaction ${await gasOf(networksUrl, freeze.onchain.tx_hash ?? "")}`,
    };
  });
  await pay(scene, "It pays", "1.00");
  await attack("Signed before", signed, STALE);
  await attack("Signed for later", signedForLater, WRONG_SIGNATURE);
}

/** Sends a payment, and returns what has become of it. */
async function paid(
  { developer, agentId, networksUrl }: WalletScene,
  amount: string,
  expected: string,
): Promise<string> {
  const sent = await developer.payments.send({ agent_id: agentId, amount, to: PAYEE });
  const { status, failure, onchain } = await untilFound(async () => {
    const payment = await developer.payments.get(sent.payment_id);
    return ["queued", "signing", "submitted"].includes(payment.status) ? undefined : payment;
  });
  const hash = onchain?.tx_hash;
  const reason = failure === null ? "" : ` ${failure.code}`;
  requireOutcome(`${status}${reason}`, expected);
  return `${amount} USDC, ${status}${reason}${hash ? `, transaction ${await gasOf(networksUrl, hash)}` : ", no transaction"}`;
}

function requireOutcome(outcome: string, expected: string): void {
  if (!outcome.startsWith(expected)) throw new Error(`“${outcome}” instead of “${expected}”`);
}

/** Returns the hash of a transaction with the gas that it has used. */
async function gasOf(networksUrl: string, hash: string): Promise<string> {
  const client = createPublicClient({ transport: http(`${networksUrl}/${NETWORK}`) });
  const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash: hash as `0x${string}` });
  return `${hash}, ${gasUsed.toLocaleString("en-US")} gas at ${formatGwei(effectiveGasPrice)} gwei`;
}

async function untilFound<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(POLL_MS);
  }
  throw new Error("Nothing has happened for 30 seconds.");
}
