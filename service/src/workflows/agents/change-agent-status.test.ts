import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { developerOf } from "../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../test/harness.ts";
import { seedAccounts } from "../../../test/ledger-accounts.ts";
import { eventsOf } from "../../../test/project-seeds.ts";
import { seedWallet } from "../../../test/wallets/seed-wallet.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { readBalances } from "../../ledger/accounts.ts";
import { moveMoney } from "../../ledger/move-money.ts";
import { effectiveStatusAt } from "../../modules/agents/agent-resource.ts";
import { requireActiveAgent } from "../../modules/agents/agents.ts";
import { createAgent, registerAgent } from "../../modules/agents/create-agent.ts";
import { listLineage } from "../../modules/agents/queries.ts";
import { expireAgents, revokeAgent, suspendOrResumeAgent } from "./agents.ts";

const MODE = "test";
const NO_RESPONSE = async () => {};

describe("agents and their wallets", () => {
  const harness = useHarness();

  async function seed() {
    const tenantId = await harness.seedDeveloper();
    const actor = developerOf(tenantId, MODE);
    const create = async (parentAgentId: string | null = null, expiresAt: Date | null = null): Promise<string> => {
      const agent = {
        agentId: undefined,
        name: "a",
        description: null,
        software: null,
        expiresAt,
        policyId: null,
        parentAgentId,
        metadata: {},
        publicKey: null,
      };
      const { agentId } = await createAgent(harness.app, { actor, agent }, NO_RESPONSE);
      await seedWallet(harness.app, { tenantId, agentId, mode: MODE });
      return agentId;
    };
    const commandFor = (agentId: string) => ({
      actor,
      key: { tenantId, mode: MODE, agentId } as const,
      reason: null,
    });
    const change = (agentId: string, transition: "suspend" | "resume") =>
      suspendOrResumeAgent(harness.app, { ...commandFor(agentId), transition }, NO_RESPONSE);
    const suspend = (agentId: string) => change(agentId, "suspend");
    const resume = (agentId: string) => change(agentId, "resume");
    const revoke = (agentId: string) => revokeAgent(harness.app, commandFor(agentId), NO_RESPONSE);
    return { tenantId, actor, create, suspend, resume, revoke };
  }

  async function walletsOf(tenantId: TenantId, agentId: string) {
    return harness.app.db
      .selectFrom("wallets")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("agentId", "=", agentId)
      .orderBy("walletId")
      .execute();
  }

  async function accountsOf(tenantId: TenantId, agentId: string) {
    const wallets = await walletsOf(tenantId, agentId);
    return readBalances(harness.app.db, {
      tenantId,
      mode: MODE,
      subjectType: "wallet",
      subjectIds: wallets.map(({ walletId }) => walletId),
    });
  }

  async function stoppedOf(tenantId: TenantId, agentIds: readonly string[]): Promise<boolean[]> {
    const stopped: boolean[] = [];
    for (const agentId of agentIds) {
      const values = new Set((await accountsOf(tenantId, agentId)).map((each) => each.stopped));
      expect(values.size).toBe(1);
      stopped.push(values.has(true));
    }
    return stopped;
  }

  it("a suspension stops the wallets of the agent and all its descendants", async () => {
    const { tenantId, create, suspend, resume } = await seed();
    const parent = await create();
    const child = await create(parent);
    const grandchild = await create(child);
    const other = await create();
    const all = [parent, child, grandchild, other];

    await suspend(child);
    expect(await stoppedOf(tenantId, all)).toEqual([false, true, true, false]);
    await suspend(parent);
    expect(await stoppedOf(tenantId, all)).toEqual([true, true, true, false]);
    await resume(parent);
    expect(await stoppedOf(tenantId, all)).toEqual([false, true, true, false]);
    await suspend(parent);
    await resume(child);
    expect(await stoppedOf(tenantId, all)).toEqual([true, true, true, false]);
    await resume(parent);
    expect(await stoppedOf(tenantId, all)).toEqual([false, false, false, false]);
  });

  it("a revoked parent stops its children for ever", async () => {
    const { tenantId, create, suspend, resume, revoke } = await seed();
    const parent = await create();
    const child = await create(parent);

    await revoke(parent);
    await suspend(child);
    await resume(child);

    expect(await stoppedOf(tenantId, [parent, child])).toEqual([true, true]);
    const at = harness.clock.now();
    const key = { tenantId, mode: MODE, agentId: child } as const;
    const lineage = await listLineage(harness.app.db, key);
    expect(lineage).toMatchObject([{ status: "active" }, { agentId: parent }]);
    expect(effectiveStatusAt(lineage, at)).toBe("revoked");
    await expect(requireActiveAgent(harness.app.db, key, at)).rejects.toThrow("revoked");
  });

  it("the job writes an expiry down once and stops the wallets", async () => {
    const { tenantId, create } = await seed();
    const agentId = await create(null, new Date(harness.clock.now().getTime() + 1_000));
    const child = await create(agentId);

    await expireAgents(harness.app);
    expect(await stoppedOf(tenantId, [agentId])).toEqual([false]);
    harness.clock.advanceSeconds(1);
    const key = { tenantId, mode: MODE, agentId } as const;
    await expect(requireActiveAgent(harness.app.db, key, harness.clock.now())).rejects.toMatchObject({
      code: "agent_suspended",
    });
    await expireAgents(harness.app);
    await expireAgents(harness.app);

    expect(await stoppedOf(tenantId, [agentId, child])).toEqual([true, true]);
    const events = await eventsOf(harness.app, agentId);
    expect(events.map(({ type }) => type)).toEqual(["agent.created", "agent.expired"]);
    expect(events[1]).toMatchObject({ actor: { type: "system" }, data: { status: "expired" } });
  });

  it("no money leaves the wallets after the suspension has returned", async () => {
    const { tenantId, create, suspend } = await seed();
    const parent = await create();
    const child = await create(parent);
    const account = (await accountsOf(tenantId, child)).find(({ total }) => total.asset === "usdc");
    invariant(account !== undefined, "the agent's wallet has a USDC account");
    const faucet = await seedAccounts(harness.app, tenantId, "faucet");
    const payee = await seedAccounts(harness.app, tenantId, "wallet");
    const move = (from: typeof faucet.usdc, to: typeof faucet.usdc, baseUnits: bigint) =>
      withTransaction(harness.app.db, tenantId, (tx) =>
        moveMoney(tx, {
          kind: "direct",
          mode: MODE,
          debitAccountId: from,
          creditAccountId: to,
          amount: { asset: "usdc", baseUnits },
          ignoresFreeze: false,
          cause: { type: "test", id: randomUUID() },
          at: harness.clock.now(),
        }),
      );
    await move(faucet.usdc, account.accountId, 1_000_000n);

    const spent: string[] = [];
    let isSuspended = false;
    const spend = async () => {
      for (let count = 0; count < 25; count += 1) {
        const startedAfter = isSuspended;
        const { outcome } = await move(account.accountId, payee.usdc, 1n);
        spent.push(`${startedAfter ? "after" : "before"}: ${outcome}`);
      }
    };
    await Promise.all([
      ...Array.from({ length: 4 }, spend),
      suspend(parent).then(() => {
        isSuspended = true;
      }),
    ]);

    expect(spent).toContain("before: done");
    expect(spent).toContain("after: agent_stopped");
    expect(spent).not.toContain("after: done");
  });

  it("concurrent changes of a family end in a consistent state, without errors", async () => {
    const { tenantId, create, suspend, resume } = await seed();
    const parent = await create();
    const child = await create(parent);
    const grandchild = await create(child);
    const all = [parent, child, grandchild];

    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        ...all.flatMap((agentId) => [suspend(agentId), resume(agentId)]),
        create(parent).catch(({ code }) => expect(code).toBe("validation_error")),
      ]);
      const lineages = await Promise.all(
        all.map((agentId) => listLineage(harness.app.db, { tenantId, mode: MODE, agentId })),
      );
      const statuses = lineages.map((lineage) => effectiveStatusAt(lineage, harness.clock.now()));
      expect(await stoppedOf(tenantId, all)).toEqual(statuses.map((status) => status !== "active"));
    }
  });

  describe("registerAgent", () => {
    const register = (actor: ReturnType<typeof developerOf>, agentId: string) =>
      withTransaction(harness.app.db, actor.tenantId, (tx) => registerAgent(tx, harness.app, actor, { agentId }));

    it("creates an unknown agent once, also in concurrent calls", async () => {
      const { actor } = await seed();
      const agentId = randomUUID();

      const agents = await Promise.all(Array.from({ length: 4 }, () => register(actor, agentId)));

      expect(new Set(agents.map(({ name }) => name))).toEqual(new Set([agentId]));
      const events = await eventsOf(harness.app, agentId);
      expect(events.map(({ type }) => type)).toEqual(["agent.created"]);
    });

    it("agent_suspended: the agent or an ancestor is not active, or the agent is deleted", async () => {
      const { actor, tenantId, create, suspend, revoke } = await seed();
      const parent = await create();
      const child = await create(parent);
      await suspend(parent);
      const deleted = await create();
      await revoke(deleted);
      await withTransaction(harness.app.db, tenantId, (tx) =>
        tx.updateTable("agents").set({ deletedAt: harness.clock.now() }).where("agentId", "=", deleted).execute(),
      );

      for (const agentId of [parent, child, deleted]) {
        await expect(register(actor, agentId)).rejects.toMatchObject({ code: "agent_suspended" });
      }
    });
  });
});
