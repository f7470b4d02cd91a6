import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { developerOf, postAgent } from "../../../test/agents/seed-agents.ts";
import { seedApproval } from "../../../test/approvals/seed-approval.ts";
import { type ApiResponse, useHarness } from "../../../test/harness.ts";
import { countOf, killSwitchesOf } from "../../../test/kill-switches/kill-switches.ts";
import { randomAddress, seedWallet } from "../../../test/wallets/seed-wallet.ts";
import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import { discardResponse } from "../../idempotency/claim.ts";
import type { NewKillSwitch } from "../../modules/kill-switches/kill-switches.ts";
import { continueKillSwitches, triggerKillSwitch } from "./kill-switch.ts";

const SENDERS = 32;

describe("a kill switch", () => {
  const harness = useHarness({
    settings: { killSwitchesPerHour: 1_000, failuresPerMinute: 1_000_000 },
  });
  const { seed, trigger } = killSwitchesOf(harness);
  type Tenant = Awaited<ReturnType<typeof seed>>;

  const developerTarget = ({ tenantId }: Tenant): NewKillSwitch => ({
    ...{ scope: "developer", targetId: tenantId, reason: "test", onchain: true, rotateEnv: false },
  });

  /** Returns an app that fails from the n-th reading of its clock, as if its process had died there. */
  function dyingApp(readings: number): App {
    let count = 0;
    const now = () => {
      count += 1;
      if (count > readings) throw new Error("the process died");
      return harness.clock.now();
    };
    return { ...harness.app, clock: { ...harness.app.clock, now } };
  }

  /** Triggers a kill switch of the developer in a process that dies. Returns false if it died before the mark. */
  async function triggerAndDie(tenant: Tenant, readings: number): Promise<boolean> {
    const actor = developerOf(tenant.tenantId, "test");
    const command = { actor, target: developerTarget(tenant) };
    return triggerKillSwitch(dyingApp(readings), command, discardResponse).then(
      () => true,
      () => false,
    );
  }

  /** Returns the objects of the tenant that can still act in test mode. */
  async function listAlive({ tenantId }: Tenant): Promise<string[]> {
    const { db } = harness.app;
    const isOwn = (table: string) => sql`${sql.ref(`${table}.tenant_id`)} = ${tenantId}`;
    const { rows } = await sql<{ id: string }>`
      select agent_id::text as id from agents where status = 'active' and ${isOwn("agents")}
      union all select project_id from projects where status = 'active' and ${isOwn("projects")}
      union all select wallet_id from wallets where status <> 'frozen' and ${isOwn("wallets")}
      union all select account_id from ledger_accounts
        where kind = 'wallet' and frozen is null and ${isOwn("ledger_accounts")}
      union all select approval_id from approvals where status = 'pending' and ${isOwn("approvals")}
      union all select key_id from api_keys where revoked_at is null and ${isOwn("api_keys")}`.execute(db);
    return rows.map(({ id }) => id);
  }

  async function seedObjects(tenant: Tenant) {
    const { agent_id: agentId } = await postAgent(tenant);
    const { agent_id: childId } = await postAgent(tenant, { parent_agent_id: agentId });
    for (const id of [agentId, childId]) {
      await seedWallet(harness.app, { ...tenant, agentId: id, baseUnits: 1_000_000_000n });
    }
    await seedApproval(harness.app, tenant.tenantId, { mode: "test", agentId });
    await tenant.post("/projects", { name: "shop", agent_ids: [agentId] });
    return { agentId, childId };
  }

  it("leaves nothing alive below a developer, whatever is born and sent at the same time", async () => {
    const tenant = await seed();
    const { agentId } = await seedObjects(tenant);
    const others = await Promise.all(
      Array.from({ length: 4 }, () => harness.seedKey(tenant.tenantId, { mode: "test" })),
    );
    let isOver = false;
    const answers: ApiResponse[] = [];
    const repeat = async (call: () => Promise<ApiResponse>) => {
      while (!isOver) {
        const answer = await call();
        answers.push(answer);
        if (answer.status === 401) return;
      }
    };
    const networks = ["base", "polygon", "optimism", "arbitrum", "ethereum"];
    const births = others.flatMap((caller, index) => [
      () => caller.post("/agents", { name: "born" }),
      () => caller.post("/wallets/create", { agent_id: randomUUID(), network: "base" }),
      () => caller.post("/wallets/create", { agent_id: agentId, network: networks[index] }),
      () => caller.post("/developers/me/keys", { name: "born" }),
      () => caller.post("/projects", { name: randomUUID() }),
    ]);
    const sends = Array.from({ length: SENDERS }, (_none, index) => () => {
      const body = { agent_id: agentId, amount: "0.01", network: "base", to: randomAddress() };
      const headers = { "x-agent-id": agentId, "idempotency-key": randomUUID() };
      return (others[index % others.length] ?? tenant).post("/payments/send", body, { headers });
    });
    const running = [...births, ...sends].map(repeat);
    const settledPayments = async () =>
      harness.app.db
        .selectFrom("payments")
        .select("paymentId")
        .where("tenantId", "=", tenant.tenantId)
        .where("status", "=", "confirmed")
        .execute();
    await expect.poll(async () => (await settledPayments()).length, { timeout: 30_000 }).toBeGreaterThan(20);

    const { status, body } = await trigger(tenant, { scope: "developer", id: tenant.tenantId });
    const settled = (await settledPayments()).length;
    isOver = true;
    await Promise.all(running);

    expect(status).toBe(200);
    expect(body.status).toBe("completed");
    expect(countOf(body, "agent", "failed") + countOf(body, "wallet", "failed")).toBe(0);
    expect(settled).toBeGreaterThan(0);
    expect((await settledPayments()).length).toBe(settled);
    const unexpected = answers.filter((answer) => answer.status === 500);
    expect(unexpected.map(({ text }) => text)).toEqual([]);
    for (const key of [tenant, ...others]) expect((await key.get("/projects")).status).toBe(401);
    expect(await listAlive(tenant)).toEqual([]);
    expect(countOf(body, "api_key", "killed")).toBeGreaterThan(others.length + 1);
  }, 120_000);

  it("continues in another process, wherever the first one died", async () => {
    let stages = 0;
    for (let readings = 1; ; readings += 1) {
      const tenant = await seed();
      await seedObjects(tenant);
      const isMarked = await triggerAndDie(tenant, readings);
      const [row] = (await tenant.session.get("/kill-switch")).body.data;
      expect(row !== undefined, `${readings}`).toBe(isMarked);
      if (!isMarked) continue;
      if (row.status === "completed") break;

      expect(row.status).toBe("running");
      harness.clock.advanceSeconds(5);
      await continueKillSwitches(harness.app);

      const ended = (await tenant.session.get(`/kill-switch/${row.kill_switch_id}`)).body;
      expect(ended.status, `${readings}: ${JSON.stringify(ended.counts)}`).toBe("completed");
      expect(await listAlive(tenant), String(readings)).toEqual([]);
      expect((await tenant.get("/projects")).status).toBe(401);
      stages += 1;
    }
    expect(stages).toBeGreaterThan(10);
  }, 120_000);

  it("is continued once it was not for five seconds, and not before", async () => {
    const tenant = await seed();
    await seedObjects(tenant);
    await triggerAndDie(tenant, 4);
    const status = async () => (await tenant.session.get("/kill-switch")).body.data[0].status;

    harness.clock.advanceSeconds(4);
    await continueKillSwitches(harness.app);
    expect(await status()).toBe("running");
    harness.clock.advanceSeconds(1);
    await continueKillSwitches(harness.app);
    expect(await status()).toBe("completed");
  });

  it("409: creations, resumptions and lifted suspensions below the target while it is running", async () => {
    const tenant = await seed();
    const { agentId } = await seedObjects(tenant);
    const { body: project } = await tenant.post("/projects", { name: "other" });
    await tenant.post(`/agents/${agentId}/suspend`);
    const live = await harness.seedKey(tenant.tenantId, { mode: "live" });
    invariant(await triggerAndDie(tenant, 4), "the target is marked");
    const { session } = tenant;

    for (const answer of [
      await session.post("/agents", { name: "born" }),
      await session.post("/wallets/create", { agent_id: randomUUID(), network: "base" }),
      await session.post("/projects", { name: "born" }),
      await session.post("/developers/me/keys", { name: "born", mode: "test" }),
      await session.post(`/agents/${agentId}/resume`),
      await session.patch(`/projects/${project.project_id}`, { status: "active" }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect(answer.body.detail).toContain("kill switch");
    }
    expect((await live.post("/agents", { name: "born" })).status).toBe(201);
    expect((await live.post("/projects", { name: "born" })).status).toBe(201);
  });

  it("409: the agents of a killed project are not resumed, although none of them is reported yet", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    const project = { name: "shop", agent_ids: [agentId] };
    const { project_id: targetId } = (await tenant.post("/projects", project)).body;
    await tenant.post(`/agents/${agentId}/suspend`, {});
    const target = { ...developerTarget(tenant), scope: "project", targetId } as const;
    await triggerKillSwitch(
      { ...harness.app, settings: { ...harness.app.settings, syncWaitMs: 0 } },
      { actor: developerOf(tenant.tenantId, "test"), target },
      discardResponse,
    );

    const { status, body } = await tenant.post(`/agents/${agentId}/resume`, {});

    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it("200: the same target while it is running is the same kill switch, beyond the quota too", async () => {
    const tenant = await seed();
    await seedObjects(tenant);
    await triggerAndDie(tenant, 4);
    const [running] = (await tenant.session.get("/kill-switch")).body.data;

    const { body } = await trigger(tenant, { scope: "developer", id: tenant.tenantId });

    expect(body).toMatchObject({ kill_switch_id: running.kill_switch_id, status: "completed" });
    expect((await tenant.session.get("/kill-switch")).body.data).toHaveLength(1);
  });

  it("200: concurrent calls for the same target are one kill switch, and each answer is complete", async () => {
    const tenant = await seed();
    await seedObjects(tenant);
    const target = { scope: "developer", id: tenant.tenantId, reason: "test" };

    const answers = await Promise.all(Array.from({ length: 4 }, () => tenant.session.post("/kill-switch", target)));

    const ids = new Set(answers.map(({ body }) => body.kill_switch_id));
    for (const { body } of answers) {
      expect(body.status).toBe("completed");
      expect(countOf(body, "agent", "failed")).toBe(0);
    }
    expect(await listAlive(tenant)).toEqual([]);
    expect(ids.size).toBeLessThanOrEqual(4);
  });

  it("reports a target that cannot be killed as failed, and kills the others; reconciling kills it", async () => {
    const tenant = await seed();
    const { agentId, childId } = await seedObjects(tenant);
    const lock = await holdAgent(childId);
    const target = { scope: "agent", id: agentId };

    const { body } = await trigger(tenant, target);
    await lock();

    expect(body.status).toBe("blocked_pending");
    expect(body.targets[0]).toMatchObject({ type: "agent", id: childId, outcome: "failed" });
    expect(countOf(body, "wallet", "killed")).toBe(2);
    const again = await tenant.post(`/kill-switch/${body.kill_switch_id}/reconcile`);
    expect(again.body.status).toBe("completed");
    expect(countOf(again.body, "agent", "killed")).toBe(2);
  });

  /** Lets each change of the agent fail, until the returned function is called. */
  async function holdAgent(agentId: string): Promise<() => Promise<void>> {
    const { asSuperuser } = await import("../../../test/project-seeds.ts");
    const sql = (text: string) =>
      asSuperuser(harness.database.superuserUrl, async (client) => void (await client.query(text)));
    await sql(`create function refuse_agent() returns trigger language plpgsql as $$ begin
        if new.agent_id = '${agentId}' then raise exception 'refused'; end if; return new; end $$;
      create trigger refuse_agent before update on agents for each row execute function refuse_agent()`);
    return () => sql("drop trigger refuse_agent on agents; drop function refuse_agent()");
  }
});
