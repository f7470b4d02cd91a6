import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Payment, Purser } from "@purser/sdk";
import { submitForm } from "../../../local/src/demo/submit-form.ts";
import type { LocalPurser } from "../../../local/src/start-local.ts";
import { submitToken } from "../submit-token.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" },
};

/** The ids of the objects that the screens show. */
export interface SeededIds {
  readonly project: string;
  readonly agent: string;
  readonly policy: string;
  readonly payment: string;
  readonly approval: string;
  readonly wallet: string;
  readonly conversion: string;
  readonly killSwitch: string;
  readonly webhook: string;
}

/** Makes what a developer has after a few days: a project with services, agents that pay, a bank account, a stopped agent. */
export async function seedAccount(purser: Purser, { baseUrl, sandbox }: LocalPurser): Promise<SeededIds> {
  const webhook = await seedWebhook(purser);
  const project = await seedProject(purser, baseUrl);
  const { agent, wallet, ...money } = await seedAgents(purser);
  const conversion = await seedFiat(purser, sandbox.plaid.url, wallet);
  const other = await purser.agents.create({ name: "Old crawler", description: "Ran on a laptop that was stolen." });
  const killed = { scope: "agent" as const, id: other.agent_id, reason: "Its laptop was stolen" };
  const { kill_switch_id: killSwitch } = await purser.killSwitch.trigger(killed);
  return { project, agent, wallet, conversion, killSwitch, webhook, ...money };
}

/** Its server answers until this process ends. */
async function seedWebhook({ webhooks }: Purser): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(204).end()).unref();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/purser`;
  const fields = { event_types: ["payment.*", "service.active"], description: "Weather desk" } as const;
  return (await webhooks.create({ url, ...fields })).webhook_id;
}

async function seedProject(purser: Purser, baseUrl: string): Promise<string> {
  const { projects } = purser;
  const { project_id } = await projects.create({ name: "Weather desk", monthly_cap: "100.00" });
  await projects.create({ name: "Research", monthly_cap: "40.00" });
  await projects.billing.attachPaymentMethod(project_id, { payment_method_id: "pm_card_visa", set_default: true });
  for (const provider of ["acme-db" as "neon", "neon" as const]) {
    const { url } = await projects.links.begin(project_id, { provider });
    await submitToken(baseUrl, url ?? "");
  }
  await projects.services.add(project_id, { service: "acme-db/postgres", name: "primary-db", plan: "standard" });
  await projects.services.add(project_id, { service: "neon/postgres", name: "forecasts" });
  await projects.variables.set(project_id, "API_URL", { value: "https://api.example" });
  await projects.env.pull(project_id);
  return project_id;
}

async function seedAgents(purser: Purser) {
  const { agent_id: agent } = await purser.agents.create({ name: "Weather buyer", description: "Buys forecasts." });
  const { policy_id: policy } = await purser.policies.create({
    name: "Ten a day",
    applies_to: { agent_ids: [agent] },
    approvals: { threshold_usd: "4.00" },
    rules: [
      { id: "daily_max", effect: "limit", operation: "payment", budget: { max: "10.00", period: "rolling_24h" } },
      { id: "allow_usdc", effect: "allow", operation: "payment", when: { token: { in: ["USDC"] } } },
    ],
  });
  const { wallet_id: wallet } = await purser.wallets.create({ agent_id: agent, network: "base" });
  await purser.wallets.create({ agent_id: agent, network: "polygon" });
  await purser.wallets.fund(wallet, { amount: "250.00" });
  await purser.agents.createKey(agent, { name: "weather-host", scopes: ["payments:read", "payments:write"] });
  const { agent_id: seller } = await purser.agents.create({ name: "Forecast shop", description: "Sells forecasts." });
  const { wallet_id: shop } = await purser.wallets.create({ agent_id: seller, network: "base" });
  const pay = async (amount: string, purpose: string, to = PAYEE) =>
    (await purser.payments.send({ agent_id: agent, network: "base", amount, to, purpose })) as Payment;
  const { payment_id: payment } = await pay("3.50", "Forecast for Lisbon", shop);
  await pay("1.25", "Forecast for Oslo");
  await purser.payments.refund(payment, { amount: "0.50", reason: "One day was missing" }, { agentId: seller });
  await pay("30.00", "A year of forecasts").catch(() => undefined);
  const { approval } = await pay("4.50", "Satellite images");
  return { agent, policy, wallet, payment, approval: approval?.approval_id ?? "" };
}

async function seedFiat({ fiat }: Purser, plaidUrl: string, wallet: string): Promise<string> {
  const { link_token: token } = await fiat.linkAccount({ account_holder_type: "individual" });
  const page = await (await submitForm(`${plaidUrl}/link?token=${token}`, { user: "good" })).text();
  const [public_token = "", account_id = ""] = [...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code);
  const { account } = await fiat.verifyAccount({ public_token, account_id, account_holder: HOLDER });
  const bank = account.account_id;
  await fiat.offRamp({ wallet_id: wallet, destination_account_id: bank, amount: "40.00" }).catch(() => undefined);
  const { conversion_id } = await fiat.onRamp({ source_account_id: bank, wallet_id: wallet, amount: "100.00" });
  return conversion_id ?? "";
}
