import type { Purser } from "@purser/sdk";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { until } from "../../until.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { pick } from "../random.ts";

const TENANTS = 4;
const FUNDING = "10000.00";
/** One tenant has little money, and one a project with a low cap, so that some off-ramps are refused. */
const LOW_FUNDING = "200.00";
const LOW_CAP = "500.00";
const HIGH_CAP = "1000000.00";
const RULES = (["on_ramp", "off_ramp"] as const).map((operation) => ({
  ...{ id: operation, effect: "limit" as const, operation },
  budget: { max: "1000000.00", currency: "usd" as const, period: "rolling_24h" as const },
}));
const ALLOWED = { id: "allow", effect: "allow" as const };
const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" as const },
};

/** One of the clients that convert money at the same time. Two clients share an account and its wallet. */
export interface Client {
  readonly tenantId: TenantId;
  readonly purser: Purser;
  /** A client with a live key, which can read the audit trail. */
  readonly auditor: Purser;
  readonly agentId: string;
  readonly walletId: string;
  readonly accountId: string;
  readonly bridgeUrl: string;
}

interface Place {
  readonly url: string;
  readonly sandbox: Sandbox;
}

/** Creates test-mode accounts with a bank account, a policy, an agent, its project and its wallet through the API. */
export async function seedClients(seeds: SeedApp, count: number, place: Place): Promise<readonly Client[]> {
  const tenants = await Promise.all(Array.from({ length: TENANTS }, (_, number) => seedTenant(seeds, number, place)));
  return Array.from({ length: count }, (_, number) => pick(tenants, number % TENANTS));
}

async function seedTenant(seeds: SeedApp, number: number, { url, sandbox }: Place): Promise<Client> {
  const tenantId = await seedDeveloper(seeds);
  const auditor = retryingClient(url, await seedKeyPair(seeds, tenantId));
  const purser = retryingClient(url, await seedKeyPair(seeds, tenantId, { mode: "test" }));
  const accountId = await linkBank(purser, sandbox.plaid.url);
  const policy = await purser.policies.create({ name: "converters", rules: [ALLOWED, ...RULES] });
  const { agent_id: agentId } = await purser.agents.create({ name: "converter", policy_id: policy.policy_id });
  const { wallet_id: walletId } = await purser.wallets.create({ agent_id: agentId, network: "base" });
  await purser.wallets.fund(walletId, { amount: number === 0 ? LOW_FUNDING : FUNDING });
  const monthly_cap = number === 1 ? LOW_CAP : HIGH_CAP;
  await purser.projects.create({ name: "conversions", monthly_cap, agent_ids: [agentId] });
  const order = { destination_account_id: accountId, wallet_id: walletId, amount: "25.00", validate_only: true };
  await until("the holder is approved", () => purser.post("/fiat/off-ramp", { body: order }), 60_000);
  return { tenantId, purser, auditor, agentId, walletId, accountId, bridgeUrl: sandbox.bridge.url };
}

/** Submits the form of the page that replaces Plaid Link, as a user does in a browser, and verifies the bank account. */
async function linkBank({ fiat }: Purser, plaidUrl: string): Promise<string> {
  const { link_token: token } = await fiat.linkAccount();
  const fields = new URLSearchParams({ user: "good", owner_name: "" });
  const page = await fetch(`${plaidUrl}/link?token=${token}`, { method: "POST", body: fields });
  const codes = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(([, value = ""]) => value);
  const [publicToken = "", vendorAccountId = ""] = codes;
  const body = { public_token: publicToken, account_id: vendorAccountId, account_holder: HOLDER };
  return (await fiat.verifyAccount(body)).account.account_id;
}
