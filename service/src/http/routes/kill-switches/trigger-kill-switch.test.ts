import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { countOf, idempotencyKey, killSwitchesOf, outcomesOf } from "../../../../test/kill-switches/kill-switches.ts";
import { auditOf, eventsOf, seedService } from "../../../../test/project-seeds.ts";
import { seedWallet } from "../../../../test/wallets/seed-wallet.ts";
import { withTransaction } from "../../../db/transaction.ts";

describe("POST /kill-switch", () => {
  const harness = useHarness();
  const { seed, trigger } = killSwitchesOf(harness);

  const walletOf = async (tenant: AnyBody, agentId: string) =>
    (await seedWallet(harness.app, { ...tenant, agentId, baseUnits: 5_000_000n })).walletId;
  const accountsOf = (walletId: string) =>
    harness.app.db
      .selectFrom("ledgerAccounts")
      .select(["frozen", "stopped"])
      .where("subjectId", "=", walletId)
      .execute();
  const projectOf = async (tenant: AnyBody, fields: object = {}): Promise<string> =>
    (await tenant.post("/projects", { name: randomUUID(), ...fields })).body.project_id;

  describe("scope agent", () => {
    it("200: suspends the agent and its descendants, freezes their wallets, cancels their approvals and revokes their keys", async () => {
      const tenant = await seed();
      const { agent_id: agentId } = await postAgent(tenant);
      const { agent_id: childId } = await postAgent(tenant, { parent_agent_id: agentId });
      const { agent_id: otherId } = await postAgent(tenant);
      const walletId = await walletOf(tenant, agentId);
      const childWalletId = await walletOf(tenant, childId);
      const otherWalletId = await walletOf(tenant, otherId);
      const { tenantId } = tenant;
      const approvalId = await seedApproval(harness.app, tenantId, { mode: "test", agentId });
      const seedKey = (agentIds: string[]) => harness.seedKey(tenantId, { mode: "test", agentIds });
      const own = await seedKey([agentId, childId]);
      const shared = await seedKey([agentId, otherId]);

      const { status, body } = await trigger(tenant, { scope: "agent", id: agentId });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: "kill_switch",
        mode: "test",
        scope: "agent",
        id: agentId,
        status: "completed",
        run: 1,
        targets_omitted: 0,
      });
      expect(outcomesOf(body)).toEqual({
        [`agent ${agentId}`]: "killed",
        [`agent ${childId}`]: "killed",
        [`wallet ${walletId}`]: "killed",
        [`wallet ${childWalletId}`]: "killed",
        [`approval ${approvalId}`]: "killed",
        [`api_key ${own.keyId}`]: "killed",
      });
      expect((await tenant.get(`/agents/${childId}`)).body.status).toBe("suspended");
      expect((await tenant.get(`/agents/${otherId}`)).body.status).toBe("active");
      for (const account of await accountsOf(childWalletId)) {
        expect(account).toMatchObject({ frozen: "full" });
      }
      for (const account of await accountsOf(otherWalletId)) {
        expect(account).toMatchObject({ frozen: null });
      }
      expect((await own.get("/developers/me")).status).toBe(401);
      expect((await shared.get("/projects")).status).toBe(200);
    });

    it("200: what was dead before is reported so", async () => {
      const tenant = await seed();
      const { agent_id: agentId } = await postAgent(tenant);
      await tenant.post(`/agents/${agentId}/suspend`);

      const { body } = await trigger(tenant, { scope: "agent", id: agentId.toUpperCase() });

      expect(outcomesOf(body)).toEqual({ [`agent ${agentId}`]: "already_dead" });
      expect(body.status).toBe("completed");
    });
  });

  describe("scope project", () => {
    it("200: suspends the project, whose env and services are then refused, and kills its agents and keys", async () => {
      const tenant = await seed();
      const { agent_id: agentId } = await postAgent(tenant);
      const projectId = await projectOf(tenant, { agent_ids: [agentId] });
      const walletId = await walletOf(tenant, agentId);
      await tenant.put(`/projects/${projectId}/variables/SECRET`, { value: "s3cret" });
      const env = () => tenant.get(`/projects/${projectId}/env`);
      expect((await env()).status).toBe(200);
      const bound = await harness.seedKey(tenant.tenantId, {
        mode: "test",
        projectIds: [projectId],
      });

      const { body } = await trigger(tenant, { scope: "project", id: projectId });

      expect(body.status).toBe("completed");
      expect(outcomesOf(body)).toEqual({
        [`project ${projectId}`]: "killed",
        [`agent ${agentId}`]: "killed",
        [`wallet ${walletId}`]: "killed",
        [`api_key ${bound.keyId}`]: "killed",
      });
      const refused = await env();
      expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect(refused.text).not.toContain("s3cret");
      expect((await bound.get(`/projects/${projectId}`)).status).toBe(401);
      const added = await tenant.post(`/projects/${projectId}/services`, {
        service: "neon/postgres",
      });
      expect(added).toMatchObject({ status: 409, body: { code: "conflict" } });
      const changed = await tenant.patch(`/projects/${projectId}`, { agent_ids: [] });
      expect(changed).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect((await tenant.get(`/projects/${projectId}`)).body.status).toBe("suspended");
    });

    it("200: a known bundle is refused too, also with names_only", async () => {
      const tenant = await seed();
      const projectId = await projectOf(tenant);
      const { headers } = await tenant.get(`/projects/${projectId}/env`);
      await trigger(tenant, { scope: "project", id: projectId });

      const known = await tenant.get(`/projects/${projectId}/env`, {
        headers: { "if-none-match": String(headers.etag) },
      });
      expect(known.status).toBe(409);
      expect((await tenant.get(`/projects/${projectId}/env?names_only=true`)).status).toBe(409);
    });

    it("200: credentials of services that are to be rotated are blocked", async () => {
      const tenant = await seed();
      const projectId = await projectOf(tenant);
      await seedService(harness.app, { tenantId: tenant.tenantId, projectId, mode: "test" });

      const { body } = await trigger(tenant, { scope: "project", id: projectId, rotate_env: true });

      expect(body.status).toBe("blocked_pending");
      expect(body.targets[0]).toMatchObject({
        type: "project_env",
        id: projectId,
        outcome: "blocked_pending",
      });
      const events = await eventsOf(harness.app, body.kill_switch_id);
      expect(events.map(({ type }) => type)).toEqual(["kill_switch.triggered", "kill_switch.blocked_pending"]);
    });

    it("PATCH with status active lifts the suspension, from a dashboard session only", async () => {
      const tenant = await seed();
      const projectId = await projectOf(tenant);
      await trigger(tenant, { scope: "project", id: projectId });
      const lift = { status: "active" };

      expect(await tenant.patch(`/projects/${projectId}`, lift)).toMatchObject({
        status: 403,
        body: { code: "insufficient_scope" },
      });
      expect((await tenant.get(`/projects/${projectId}/env`)).status).toBe(409);
      expect(await tenant.session.patch(`/projects/${projectId}`, lift)).toMatchObject({
        status: 200,
        body: { status: "active" },
      });
      expect((await tenant.get(`/projects/${projectId}/env`)).status).toBe(200);
      const other = await tenant.session.patch(`/projects/${projectId}`, { status: "suspended" });
      expect(other.status).toBe(422);
    });
  });

  describe("scope developer", () => {
    it("200: kills everything of the caller's mode, and the calling key last; its next request is 401", async () => {
      const tenant = await seed();
      const { tenantId } = tenant;
      const { agent_id: agentId } = await postAgent(tenant);
      const projectId = await projectOf(tenant);
      const walletId = await walletOf(tenant, agentId);
      const second = await harness.seedKey(tenantId, { mode: "test" });
      const live = await harness.seedKey(tenantId, { mode: "live" });
      const { agent_id: liveAgentId } = await postAgent(live);
      expect((await second.get("/projects")).status).toBe(200);

      const { status, body } = await trigger(tenant, { scope: "developer", id: tenantId });

      expect(status).toBe(200);
      expect(outcomesOf(body)).toEqual({
        [`project ${projectId}`]: "killed",
        [`agent ${agentId}`]: "killed",
        [`wallet ${walletId}`]: "killed",
        [`api_key ${tenant.keyId}`]: "killed",
        [`api_key ${second.keyId}`]: "killed",
      });
      expect((await tenant.get("/projects")).status).toBe(401);
      expect((await second.get("/projects")).status).toBe(401);
      expect((await live.get(`/agents/${liveAgentId}`)).body.status).toBe("active");
      expect((await tenant.session.get("/developers/me")).status).toBe(200);
      const revoked = await auditOf(harness.app, tenant.keyId);
      expect(revoked.at(-1)).toMatchObject({
        action: "api_key.revoked",
        facts: { reason: "kill_switch" },
      });
      const keys = await tenant.session.get("/developers/me/keys");
      expect(keys.status).toBe(200);
    });
  });

  it("200: a live wallet is frozen in the database, and its chain is blocked", async () => {
    const tenant = await seed("live");
    const { agent_id: agentId } = await postAgent(tenant);
    const { tenantId } = tenant;
    await seedWallet(harness.app, { tenantId, mode: "live", agentId });

    const { body } = await trigger(tenant, { scope: "agent", id: agentId });

    expect(body.status).toBe("blocked_pending");
    expect(body.targets[0]).toMatchObject({
      type: "wallet",
      outcome: "killed",
      onchain: "blocked_pending",
    });
  });

  it("200: without onchain, the chain is not part of the report", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    await walletOf(tenant, agentId);

    const { body } = await trigger(tenant, { scope: "agent", id: agentId, onchain: false });

    const [wallet] = body.targets.filter(({ type }: AnyBody) => type === "wallet");
    expect(wallet.onchain).toBeNull();
  });

  it("writes an entry and an event at the start and at the end", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);

    const { body } = await trigger(tenant, { scope: "agent", id: agentId });

    const actions = ["kill_switch.triggered", "kill_switch.completed"];
    const entries = await auditOf(harness.app, body.kill_switch_id);
    expect(entries.map(({ action }) => action)).toEqual(actions);
    expect(entries[1]).toMatchObject({ actor: { id: tenant.tenantId, key_id: tenant.keyId } });
    const events = await eventsOf(harness.app, body.kill_switch_id);
    expect(events.map(({ type }) => type)).toEqual(actions);
    expect(events[0]).toMatchObject({ data: { status: "running", proof: null, targets: [] } });
    expect(events[1]?.data).toEqual(body);
  });

  it("200: the same Idempotency-Key gets the same kill switch", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    const request = { scope: "agent", id: agentId, reason: "test" };
    const options = idempotencyKey();

    const first = await tenant.post("/kill-switch", request, options);
    harness.clock.advanceSeconds(1);
    const second = await tenant.post("/kill-switch", request, options);

    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
  });

  it("409: an eleventh kill switch with the same key within the hour, but not after it, nor with another key or session", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    const target = { scope: "agent", id: agentId };
    for (let count = 0; count < 10; count += 1) {
      expect((await trigger(tenant, target)).status).toBe(200);
    }

    const refused = await trigger(tenant, target);
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
    const owner = await harness.seedKey(tenant.tenantId, { mode: "test" });
    expect((await trigger(owner, target)).status).toBe(200);
    expect((await trigger(tenant.session, target)).status).toBe(200);
    harness.clock.advanceSeconds(3_600);
    expect((await trigger(tenant, target)).status).toBe(200);
  });

  it("200: a kill switch of the account after ten with the same key gets the last one of the hour", async () => {
    const tenant = await seed();
    const { agent_id: agentId } = await postAgent(tenant);
    const account = { scope: "developer", id: tenant.tenantId };
    for (let count = 0; count < 10; count += 1) {
      await trigger(tenant, { scope: "agent", id: agentId });
    }
    expect(await trigger(tenant, account)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });

    const { body } = await trigger(tenant.session, account);
    // That revoked the keys.
    const key = await harness.seedKey(tenant.tenantId, { mode: "test" });
    for (let count = 0; count < 10; count += 1) {
      await trigger(key, { scope: "agent", id: agentId });
    }
    const again = await trigger(key, account);

    expect(again).toMatchObject({ status: 200, body: { kill_switch_id: body.kill_switch_id } });
  });

  it("404: the target does not exist, is another tenant's, or belongs to the other mode", async () => {
    const tenant = await seed();
    const other = await seed();
    const { agent_id: otherId } = await postAgent(other);
    const otherProject = await projectOf(other);
    const live = await harness.seedKey(tenant.tenantId, { mode: "live" });
    const { agent_id: liveId } = await postAgent(live);

    for (const [scope, id, code] of [
      ["agent", otherId, "agent_not_found"],
      ["agent", liveId, "agent_not_found"],
      ["agent", "bot", "agent_not_found"],
      ["project", otherProject, "project_not_found"],
      ["project", "proj_1", "project_not_found"],
      ["developer", other.tenantId, "developer_not_found"],
      ["developer", "me", "developer_not_found"],
    ] as const) {
      const answer = await trigger(tenant, { scope, id });
      expect(answer, `${scope} ${id}`).toMatchObject({ status: 404, body: { code } });
    }
    expect((await other.get(`/agents/${otherId}`)).body.status).toBe("active");
  });

  it("422: fields are missing, unknown or too long", async () => {
    const tenant = await seed();
    const valid = { scope: "agent", id: randomUUID(), reason: "test" };
    for (const [body, pointer] of [
      [{ ...valid, scope: "wallet" }, "/body/scope"],
      [{ ...valid, id: "" }, "/body/id"],
      [{ ...valid, id: "x".repeat(101) }, "/body/id"],
      [{ ...valid, reason: "" }, "/body/reason"],
      [{ ...valid, reason: "x".repeat(501) }, "/body/reason"],
      [{ ...valid, reason: undefined }, "/body/reason"],
      [{ ...valid, onchain: "yes" }, "/body/onchain"],
      [{ ...valid, force: true }, "/body/force"],
    ] as const) {
      const answer = await tenant.post("/kill-switch", body);
      expect(answer.status, pointer).toBe(422);
      expect(answer.body.errors[0].pointer).toBe(pointer);
    }
  });

  it("lists at most 1,000 targets, those that are not dead first, and counts and proves all", async () => {
    const tenant = await seed();
    const { tenantId } = tenant;
    const { agent_id: agentId } = await postAgent(tenant);
    const { body } = await trigger(tenant, { scope: "agent", id: agentId });
    const killSwitchId = body.kill_switch_id;
    await withTransaction(harness.app.db, tenantId, async (tx) => {
      const rows = Array.from({ length: 1_001 }, (_none, index) => ({
        ...{ tenantId, killSwitchId, run: 1, targetType: "wallet" as const },
        targetId: `wal_${String(index).padStart(4, "0")}`,
        outcome: index === 1_000 ? ("failed" as const) : ("killed" as const),
      }));
      await tx.insertInto("killSwitchTargets").values(rows).execute();
    });

    const shown = (await tenant.get(`/kill-switch/${killSwitchId}`)).body;

    expect(shown.targets).toHaveLength(1_000);
    expect(shown.targets_omitted).toBe(2);
    expect(shown.targets[0]).toMatchObject({ id: "wal_1000", outcome: "failed" });
    expect(shown.targets[1]).toMatchObject({ id: agentId, outcome: "killed" });
    expect(countOf(shown, "wallet", "killed")).toBe(1_000);
    expect(countOf(shown, "wallet", "failed")).toBe(1);
    expect(shown.proof.decision_hash).not.toBe(body.proof.decision_hash);
  });
});
