import { sql } from "kysely";
import { expect } from "vitest";
import type { TenantId } from "../../src/foundation/ids.ts";
import { useNetwork } from "../../src/modules/networks/networks.ts";
import { watchNetwork } from "../../src/workflows/networks/watch-network.ts";
import type { useHarness } from "../harness.ts";
import type { useLocalNetwork } from "../networks/local-network.ts";
import { createWallet } from "../wallets/create-wallet.ts";

const HOUR_MS = 3_600_000;

/** The cases of the jobs that read the chains of networks. */
export function networkJobCases(harness: ReturnType<typeof useHarness>, base: ReturnType<typeof useLocalNetwork>) {
  const has = async (query: ReturnType<typeof sql>) => (await query.execute(harness.app.db)).rows.length > 0;
  const hoursAgo = (hours: number) => new Date(harness.clock.now().getTime() - hours * HOUR_MS);

  /** Returns the address of a new wallet with a deposit that nothing has seen. */
  async function seedDeposit(tenantId: TenantId): Promise<string> {
    await useNetwork(harness.app, "base");
    const { address } = await createWallet(await harness.seedKey(tenantId));
    await base.mint(address, 2_000_000n);
    return address;
  }

  return {
    "watch-network": {
      seed: async (tenantId: TenantId) => {
        await seedDeposit(tenantId);
        const change = { dueAt: harness.clock.now() };
        await harness.app.db.updateTable("dueWork").set(change).where("kind", "=", "watch-network").execute();
      },
      isDone: (tenantId: TenantId) =>
        has(sql`select from deposits where tenant_id = ${tenantId} and status = 'confirmed'`),
    },
    "send-operations": {
      seed: async (tenantId: TenantId) => {
        await useNetwork(harness.app, "base");
        await createWallet(await harness.seedKey(tenantId), { deploy: "immediate" });
      },
      isDone: (tenantId: TenantId) =>
        has(sql`select from user_operations where tenant_id = ${tenantId} and signed_operation is not null`),
    },
    "send-operator-transactions": {
      seed: async (tenantId: TenantId) => {
        const tenant = await harness.seedKey(tenantId);
        const { wallet_id, agent_id } = await createWallet(tenant);
        await tenant.post("/kill-switch", { scope: "agent", id: agent_id, reason: "test" });
        expect((await tenant.get(`/wallets/${wallet_id}`)).body.freeze.onchain.status).toBe("pending");
      },
      isDone: (tenantId: TenantId) =>
        has(sql`select from wallets where tenant_id = ${tenantId} and onchain_freeze_tx is not null`),
    },
    "supervise-networks": {
      seed: async () => {
        harness.logLines.length = 0;
        await useNetwork(harness.app, "base");
        await harness.app.db
          .updateTable("networkCursors")
          .set({ readAt: hoursAgo(1) })
          .execute();
      },
      isDone: () => harness.logLines.some((line) => line.includes("a network cannot be read")),
    },
    "check-chain-balances": {
      seed: async (tenantId: TenantId) => {
        const address = await seedDeposit(tenantId);
        await watchNetwork(harness.app, "base");
        await base.take(address, 1_000_000n);
        await watchNetwork(harness.app, "base");
        await harness.app.db
          .updateTable("networkCursors")
          .set({ balancesCheckedAt: hoursAgo(2) })
          .execute();
      },
      isDone: (tenantId: TenantId) =>
        has(sql`select from audit_entries where tenant_id = ${tenantId} and action = 'wallet.chain_difference_found'`),
    },
  };
}
