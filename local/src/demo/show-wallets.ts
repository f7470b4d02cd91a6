import { setTimeout as delay } from "node:timers/promises";
import { Purser } from "@purser/sdk";
import { createPublicClient, formatGwei, http } from "viem";
import type { DemoContext } from "./run-demo.ts";

const NETWORK = "base";
const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const RULES = [{ id: "all", effect: "allow", operation: "payment" }] as const;
const POLLS_MAX = 300;
const POLL_MS = 100;

interface WalletScene extends DemoContext {
  readonly developer: Purser;
  readonly agentId: string;
  readonly walletId: string;
}

/**
 * Shows a live wallet on a chain of this machine: USDC is minted and credited, the wallet pays before its account is deployed,
 * pays again, and pays eight at once. A payment over the daily limit of the account fails.
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
  const scene = { ...context, developer, agentId, walletId };
  await mint(scene, address);
  await pay(scene, "It pays, and deploys its account", "5.00");
  await pay(scene, "It pays again", "5.00");
  await payEightAtOnce(scene);
  await pay(scene, "It pays more than its daily limit", "10000.01");
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
