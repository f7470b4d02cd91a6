import { setTimeout as delay } from "node:timers/promises";
import { type Conversion, PermissionDeniedError, Purser } from "@purser/sdk";
import type { DemoContext } from "./run-demo.ts";
import { submitForm } from "./submit-form.ts";
import { clientOf, createTestClient } from "./test-client.ts";

const POLLS_MAX = 150;
const POLL_MS = 200;

const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" },
};

interface FiatScene extends DemoContext {
  readonly developer: Purser;
  readonly agentId: string;
  readonly walletId: string;
  readonly accountId: string;
}

/**
 * Shows how money comes and goes: a bank account is linked, dollars become USDC, USDC become dollars, a payout is returned, and
 * an agent is refused by its policy. In live mode, the tokens move on a chain of this machine.
 */
export async function showFiat(context: DemoContext, mode: "live" | "test"): Promise<void> {
  const developer = mode === "live" ? new Purser(context.credentials) : await createTestClient(context);
  const { agent_id: agentId } = await context.steps.do("Create an agent", async () => {
    const agent = await developer.agents.create({ name: "treasurer" });
    return { result: agent, message: agent.agent_id };
  });
  const { wallet_id: walletId } = await context.steps.do("Create its wallet", async () => {
    const wallet = await developer.wallets.create({ agent_id: agentId, network: "base" });
    return { result: wallet, message: `${wallet.wallet_id} on ${wallet.network}` };
  });
  const accountId = await linkBank(context, developer);
  const scene = { ...context, developer, agentId, walletId, accountId };
  await showOnRamp(scene);
  await showOffRamp(scene, "Convert 40.00 USDC into dollars", { amount: "40.00", last: "completed" });
  await showBalance(scene);
  await showOffRamp(scene, "The bank returns a payout", { amount: "20.13", last: "refunded" });
  await showBalance(scene);
  await showRefusal(scene);
  await showHistory(scene);
}

async function linkBank({ steps, sandbox }: DemoContext, { fiat }: Purser): Promise<string> {
  const { link_token: token } = await steps.do("Start linking a bank account", async () => {
    const link = await fiat.linkAccount({ account_holder_type: "individual" });
    return { result: link, message: `a link token, valid until ${link.expiration}` };
  });
  const [publicToken = "", plaidAccountId = ""] = await steps.do("Log in at the bank", async () => {
    const page = await submitForm(`${sandbox.plaid.url}/link?token=${token}`, { user: "good" });
    const codes = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(([, code = ""]) => code);
    return { result: codes, message: "a public token, and the accounts" };
  });
  const { account_id: accountId } = await steps.do("Verify the account", async () => {
    const body = { public_token: publicToken, account_id: plaidAccountId, account_holder: HOLDER };
    const { account } = await fiat.verifyAccount(body);
    const { mask, status, kyc_status } = account;
    return { result: account, message: `account ••••${mask} is ${status}, the holder is ${kyc_status}` };
  });
  return accountId;
}

async function showOnRamp(scene: FiatScene): Promise<void> {
  const { developer, steps, sandbox, accountId, walletId } = scene;
  const conversion = await steps.do("Convert 100.00 dollars into USDC", async () => {
    const order = { source_account_id: accountId, wallet_id: walletId, amount: "100.00" };
    const made = await developer.fiat.onRamp(order);
    const reference = made.deposit_instructions?.reference;
    return { result: made, message: `${made.status}: send 100.00 USD with the reference ${reference}` };
  });
  await steps.do("Send the dollars", async () => {
    const message = conversion.deposit_instructions?.reference ?? "";
    const sent = await submitForm(`${sandbox.bridge.url}/deposit`, { deposit_message: message, amount: "100.00" });
    if (!sent.ok) throw new Error("Bridge did not expect this deposit.");
    return { result: sent, message: "as the payer's bank would" };
  });
  await steps.do("Wait for the tokens", async () => {
    const done = await waitFor(scene, conversion, "completed");
    return { result: done, message: `${done.status}: ${done.destination.amount} USDC${transactionOf(done)}` };
  });
  await showBalance(scene);
}

async function showOffRamp(
  scene: FiatScene,
  what: string,
  { amount, last }: { readonly amount: string; readonly last: Conversion["status"] },
): Promise<void> {
  const { developer, steps, accountId, walletId } = scene;
  await steps.do(what, async () => {
    const order = { wallet_id: walletId, destination_account_id: accountId, amount };
    const done = await waitFor(scene, await developer.fiat.offRamp(order), last);
    const { status, destination, return_reason: reason } = done;
    return { result: done, message: `${status}: ${reason ?? `${destination.amount} USD paid`}${transactionOf(done)}` };
  });
}

/** Returns the transaction that has moved the tokens. */
function transactionOf({ trace }: Conversion): string {
  return trace.tx_hash === null ? "" : `, transaction ${trace.tx_hash}`;
}

async function showBalance({ developer, steps, walletId }: FiatScene): Promise<void> {
  await steps.do("Read the balance", async () => {
    const { balances } = await developer.wallets.balance(walletId, { refresh: true });
    const available = balances.find(({ token }) => token === "USDC")?.available;
    return { result: balances, message: `${available} USDC available` };
  });
}

async function waitFor(
  { developer }: FiatScene,
  { conversion_id: id }: Conversion,
  status: Conversion["status"],
): Promise<Conversion> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const conversion = await developer.fiat.conversions.get(id ?? "");
    if (conversion.status === status) return conversion;
    if (conversion.failure !== null) throw new Error(`The conversion has failed: ${conversion.failure.detail}`);
    await delay(POLL_MS);
  }
  throw new Error(`The conversion did not become ${status}.`);
}

async function showRefusal({ developer, credentials, steps, agentId, accountId, walletId }: FiatScene): Promise<void> {
  const key = await steps.do("Create the agent's key pair", async () => {
    const issued = await developer.agents.createKey(agentId, {
      name: "treasurer",
      scopes: ["fiat:read", "fiat:write"],
    });
    return { result: issued, message: `${issued.key_prefix}${issued.key_hint}` };
  });
  const agent = clientOf(credentials.baseUrl, key);
  await steps.do("The agent asks for a payout", async () => {
    const order = { wallet_id: walletId, destination_account_id: accountId, amount: "5.00" };
    const refusal = await agent.fiat.offRamp(order).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(refusal instanceof PermissionDeniedError)) throw new Error("The starter policy did not refuse the payout.");
    const { status, code, decision } = refusal;
    return { result: refusal, message: `${status} ${code}:\n     ${JSON.stringify(decision)}` };
  });
}

async function showHistory({ developer, steps }: FiatScene): Promise<void> {
  await steps.do("List the conversions", async () => {
    const { data } = await developer.fiat.conversions.list();
    const lines = data.map(({ direction, source, status }) => `${direction} ${source.amount} ${status}`);
    return { result: data, message: lines.join(", ") };
  });
}
