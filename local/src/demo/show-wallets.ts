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

interface WalletScene extends DemoContext {
  readonly developer: Purser;
  readonly agentId: string;
  readonly walletId: WalletId;
}

/**
 * Shows a live wallet on a chain of this machine: USDC is minted and credited, the wallet pays before its account is deployed,
 * pays again, and pays eight at once. A payment over the daily limit of the account fails. Then someone has stolen the wallet's key:
 * after a freeze on the chain, neither the bundler nor the EntryPoint executes what the thief has signed, also not after the
 * unfreezing.
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
  await pay(scene, "It pays more than its daily limit", "10000.01");
  await freezeAndUnfreeze(scene);
  await steps.do("Compare the ledger with the chain", async () => {
    const { source, balances } = await developer.wallets.balance(walletId, { refresh: true });
    const [usdc] = balances;
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

async function pay(scene: WalletScene, what: string, amount: string): Promise<void> {
  await scene.steps.do(what, async () => {
    const message = await paid(scene, amount);
    return { result: message, message };
  });
}

async function payEightAtOnce(scene: WalletScene): Promise<void> {
  await scene.steps.do("It pays eight at once", async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => paid(scene, "1.00")));
    return { result: payments, message: payments.join("\n     ") };
  });
}

async function freezeAndUnfreeze(scene: WalletScene): Promise<void> {
  const { steps, developer, agentId, walletId, app, networksUrl } = scene;
  const thief = await createThief(app, walletId, `${networksUrl}/${NETWORK}`, THIEF);
  /** Tries to have a payment executed by the bundler, and without it. */
  const attack = async (what: string, payment: Awaited<ReturnType<typeof thief.sign>>) => {
    await steps.do(`${what}: bundler`, async () => {
      return { result: undefined, message: await thief.sendToBundler(payment) };
    });
    await steps.do(`${what}: handleOps`, async () => {
      const { hash, outcome } = await thief.sendToEntryPoint(payment);
      return { result: undefined, message: `${outcome}, transaction ${await gasOf(networksUrl, hash)}` };
    });
  };
  const [signed, signedForLater] = await steps.do("A thief of its key signs payments", async () => {
    const payments = [await thief.sign(), await thief.sign(EPOCHS_OF_A_FREEZE)] as const;
    return { result: payments, message: "1.00 USDC for the present epoch, 1.00 USDC for the one after the unfreezing" };
  });
  await steps.do("Freeze the wallet on the chain", async () => {
    const { status, onchain } = await developer.wallets.freezeOnChain(walletId, { reason: "suspected_compromise" });
    return {
      result: status,
      message: `${onchain.status}, transaction ${await gasOf(networksUrl, onchain.tx_hash ?? "")}`,
    };
  });
  await attack("Signed before", signed);
  await attack("While it is frozen", await thief.sign());
  await steps.do("It pays", async () => {
    const refusal = await developer.payments
      .send({ agent_id: agentId, amount: "1.00", to: PAYEE })
      .catch((error) => error);
    return {
      result: undefined,
      message: refusal instanceof APIError ? `${refusal.status} ${refusal.code}` : "paid",
    };
  });
  await steps.do("Unfreeze the wallet", async () => {
    await developer.wallets.unfreeze(walletId, { note: "The key was not stolen.", review_reference: "case-1" });
    const { status, freeze } = await developer.wallets.get(walletId);
    return {
      result: status,
      message: `${status}, transaction ${await gasOf(networksUrl, freeze.onchain.tx_hash ?? "")}`,
    };
  });
  await pay(scene, "It pays", "1.00");
  await attack("Signed before", signed);
  await attack("Signed for later", signedForLater);
}

/** Sends a payment, and returns what has become of it. */
async function paid({ developer, agentId, networksUrl }: WalletScene, amount: string): Promise<string> {
  const sent = await developer.payments.send({ agent_id: agentId, amount, to: PAYEE });
  const { status, failure, onchain } = await untilFound(async () => {
    const payment = await developer.payments.get(sent.payment_id);
    return ["queued", "signing", "submitted"].includes(payment.status) ? undefined : payment;
  });
  const hash = onchain?.tx_hash;
  const reason = failure === null ? "" : ` ${failure.code}`;
  return `${amount} USDC, ${status}${reason}${hash ? `, transaction ${await gasOf(networksUrl, hash)}` : ", no transaction"}`;
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
