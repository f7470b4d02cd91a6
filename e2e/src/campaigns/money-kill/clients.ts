import type { Purser } from "@purser/sdk";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { pick } from "../random.ts";

const TENANTS = 2;
/** Two clients act as the same agent, and so pay from the same wallet. */
const CLIENTS_PER_AGENT = 2;
const FUNDING = "10000.00";
/** One agent of each tenant has little money, and one project has a low cap, so that some payments are refused. */
const LOW_FUNDING = "5.00";
const LOW_CAP = "20.00";
const HIGH_CAP = "1000000.00";
const RULES = [
  { id: "allow", effect: "allow" as const, operation: "payment" as const },
  {
    id: "day",
    effect: "limit" as const,
    operation: "payment" as const,
    budget: { max: "1000000.00", currency: "usd" as const, period: "rolling_24h" as const },
  },
];

export interface Agent {
  readonly agentId: string;
  readonly walletId: string;
}

export interface Tenant {
  readonly tenantId: TenantId;
  readonly agents: readonly Agent[];
  /** A client with a live key, which can read the audit trail. */
  readonly auditor: Purser;
}

/** One of the clients that pay at the same time. */
export interface Client {
  readonly tenant: Tenant;
  readonly agent: Agent;
  readonly purser: Purser;
}

/** Creates tenants with agents, wallets, policies and projects through the API, and a client for each of `count`. */
export async function seedClients(
  seeds: SeedApp,
  { url, count, fetch }: { readonly url: string; readonly count: number; readonly fetch?: typeof globalThis.fetch },
): Promise<readonly Client[]> {
  const agentsEach = Math.max(2, Math.ceil(count / CLIENTS_PER_AGENT / TENANTS));
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => seedTenant(seeds, url, agentsEach)));
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const tenant = pick(tenants, number % TENANTS);
      const agent = pick(tenant.agents, Math.floor(number / TENANTS) % agentsEach);
      const pair = await seedKeyPair(seeds, tenant.tenantId, { mode: "test" });
      return { tenant, agent, purser: retryingClient(url, pair, fetch) };
    }),
  );
}

export async function seedTenant(seeds: SeedApp, url: string, agentsEach: number): Promise<Tenant> {
  const tenantId = await seedDeveloper(seeds);
  const auditor = retryingClient(url, await seedKeyPair(seeds, tenantId));
  const purser = retryingClient(url, await seedKeyPair(seeds, tenantId, { mode: "test" }));
  const policy = await purser.policies.create({ name: "payers", rules: RULES });
  const agents: Agent[] = [];
  for (let number = 0; number < agentsEach; number += 1) {
    const { agent_id: agentId } = await purser.agents.create({
      name: `agent ${number}`,
      policy_id: policy.policy_id,
    });
    const wallet = await purser.wallets.create({ agent_id: agentId, network: "base" });
    await purser.wallets.fund(wallet.wallet_id, { amount: number === 0 ? LOW_FUNDING : FUNDING });
    const monthly_cap = number === 1 ? LOW_CAP : HIGH_CAP;
    await purser.projects.create({ name: `project ${number}`, monthly_cap, agent_ids: [agentId] });
    agents.push({ agentId, walletId: wallet.wallet_id });
  }
  return { tenantId, agents, auditor };
}
