import { randomUUID } from "node:crypto";
import type { BlockchainNetwork } from "../../src/foundation/blockchain-networks.ts";
import type { WalletId } from "../../src/foundation/ids.ts";
import type { Mode } from "../../src/foundation/vocabulary.ts";
import type { ApiResponse, SignOptions, useHarness } from "../harness.ts";
import { randomAddress, seedWallet } from "../wallets/seed-wallet.ts";

type Harness = ReturnType<typeof useHarness>;
type Tenant = Awaited<ReturnType<Harness["seedTenant"]>>;

export interface Payer {
  readonly tenant: Tenant;
  readonly agentId: string;
  readonly walletId: WalletId;
  readonly address: string;
  /** Sends a payment of the agent. Default: 5.00 USDC to a new address. */
  pay(body?: object, options?: SignOptions): Promise<ApiResponse>;
  /** Signs a request as the agent. */
  post(path: string, body?: object, options?: SignOptions): Promise<ApiResponse>;
  /** The wallet's USDC balance. */
  balance(): Promise<{ readonly total: bigint; readonly held: bigint }>;
}

/** Creates an agent with a funded wallet. Without `rules`, the tenant has the starter policy. */
export async function seedPayer(
  harness: Harness,
  {
    tenant: given,
    mode = "test",
    network = "base",
    baseUnits = 1_000_000_000n,
    ...options
  }: {
    readonly tenant?: Tenant;
    readonly mode?: Mode;
    readonly network?: BlockchainNetwork;
    readonly baseUnits?: bigint;
    /** The rules of a new policy of the agent. */
    readonly rules?: readonly object[];
    readonly approvals?: object;
    /** An existing policy of the agent, instead of `rules`. */
    readonly policyId?: string;
  } = {},
): Promise<Payer> {
  const tenant = given ?? (await harness.seedTenant({ mode }));
  const { tenantId } = tenant;
  const agentId = await seedPayingAgent(tenant, options);
  const { walletId, address } = await seedWallet(harness.app, {
    ...{ tenantId, agentId, mode, network, baseUnits },
  });
  const post: Payer["post"] = (path, body = {}, { headers, ...signing } = {}) =>
    tenant.post(path, body, {
      ...signing,
      headers: { "x-agent-id": agentId, "idempotency-key": randomUUID(), ...headers },
    });
  return {
    ...{ tenant, agentId, walletId, address, post },
    pay: (body = {}, signing) =>
      post("/payments/send", { agent_id: agentId, amount: "5.00", to: randomAddress(), ...body }, signing),
    balance: async () => {
      const row = await harness.app.db
        .selectFrom("ledgerAccounts")
        .select(["posted", "held"])
        .where("tenantId", "=", tenantId)
        .where("subjectId", "=", walletId)
        .where("asset", "=", "usdc")
        .executeTakeFirstOrThrow();
      return { total: row.posted, held: row.held };
    },
  };
}

async function seedPayingAgent(
  tenant: Tenant,
  {
    rules,
    approvals,
    policyId,
  }: {
    readonly rules?: readonly object[];
    readonly approvals?: object;
    readonly policyId?: string;
  },
): Promise<string> {
  if (rules === undefined) {
    const agent = { name: "payer", ...(policyId !== undefined && { policy_id: policyId }) };
    return (await tenant.post("/agents", agent)).body.agent_id;
  }
  const policy = { name: randomUUID(), rules, ...(approvals !== undefined && { approvals }) };
  const { policy_id } = (await tenant.post("/policies", policy)).body;
  return (await tenant.post("/agents", { name: "payer", policy_id })).body.agent_id;
}
