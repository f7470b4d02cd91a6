import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf as sessionsOf } from "../../../../../test/accounts.ts";
import { postAgent } from "../../../../../test/agents/seed-agents.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { withRoundTrips } from "../../../../../test/round-trips.ts";
import { freezesOf } from "../../../../../test/wallets/frozen-wallet.ts";
import { seedWallet } from "../../../../../test/wallets/seed-wallet.ts";
import { SCOPES } from "../../../../foundation/vocabulary.ts";

const ANOMALY = { reason: "anomaly" };
const OUTGOING = { ...ANOMALY, mode: "outgoing_only" };

describe("POST /wallets/{wallet_id}/freeze", () => {
  const harness = useHarness();
  const { arrange, rowOf, stateOf, historyOf, countsOf } = freezesOf(harness);

  it("204: the wallet is frozen, with an entry, an event and its history", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, walletId, agentId, path } = wallet;
    const at = harness.clock.now();
    const expires_at = new Date(at.getTime() + 86_400_000).toISOString();

    const { status, text } = await tenant.post(`${path}/freeze`, {
      reason: "other",
      note: "Ask Ada.\nShe knows.",
      reference: "case-17",
      expires_at,
    });

    expect([status, text]).toEqual([204, ""]);
    expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
    const by = { type: "developer", id: tenantId };
    expect(await rowOf(wallet)).toMatchObject({
      epoch: 1,
      freezeReason: "other",
      frozenBy: by,
      frozenAt: at,
      freezeExpiresAt: new Date(expires_at),
      onchainFreeze: "not_frozen",
    });
    expect(await historyOf(wallet)).toMatchObject([
      {
        mode: "test",
        action: "freeze",
        freezeMode: "full",
        source: "developer",
        reason: "other",
        note: "Ask Ada.\nShe knows.",
        reference: "case-17",
        actor: by,
        createdAt: at,
      },
    ]);
    const [entry] = await auditOf(harness.app, walletId);
    expect(entry).toMatchObject({
      action: "wallet.frozen",
      mode: "test",
      facts: { agent_id: agentId, reason: "other", mode: "full", reference: "case-17" },
      actor: { ...by, key_id: tenant.keyId },
    });
    // Notes can contain personal data, which audit entries must not.
    expect(JSON.stringify(entry)).not.toContain("Ada");
    const [event] = await eventsOf(harness.app, walletId);
    expect(event).toMatchObject({
      type: "wallet.frozen",
      data: {
        object: "wallet",
        wallet_id: walletId,
        status: "frozen",
        freeze: { database: { frozen: true }, reason: "other", frozen_by: by, expires_at },
      },
    });
  });

  it("two round trips; two more for all wallets of an agent, three more with an Idempotency-Key", async () => {
    const { tenant, path, ...wallet } = await arrange();
    await seedWallet(harness.app, { ...wallet, network: "polygon" });
    const freeze = async (body: object, headers = {}) => {
      const { result, roundTrips } = await withRoundTrips(() => tenant.post(`${path}/freeze`, body, { headers }));
      return [result.status, ...roundTrips];
    };

    expect(await freeze(OUTGOING)).toEqual([204, "begin select select select", "with update insert with commit"]);
    expect(await freeze({ ...OUTGOING, scope: "agent" })).toEqual([
      204,
      "begin select select",
      "select",
      "select select",
      "with update insert with commit",
    ]);
    expect(await freeze(ANOMALY, { "idempotency-key": randomUUID() })).toEqual([
      204,
      "begin select insert",
      "commit",
      "begin select select select",
      "with update insert with update",
      "commit",
    ]);
  });

  it("204: a frozen wallet stays as it is, unless the freeze is stricter", async () => {
    const wallet = await arrange();
    const freeze = (body: object) => wallet.tenant.post(`${wallet.path}/freeze`, body);
    await freeze({ ...ANOMALY, mode: "outgoing_only" });
    expect(await stateOf(wallet)).toEqual(["frozen", "developer", "outgoing_only", "outgoing_only"]);
    const first = await rowOf(wallet);
    harness.clock.advanceSeconds(60);

    expect((await freeze({ reason: "legal_order", mode: "outgoing_only" })).status).toBe(204);
    expect(await rowOf(wallet)).toEqual(first);
    expect(await countsOf(wallet)).toEqual([1, 1, 1]);

    expect((await freeze({ reason: "legal_order" })).status).toBe(204);
    expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
    expect(await rowOf(wallet)).toMatchObject({ freezeReason: "legal_order", epoch: 2 });
    expect(await countsOf(wallet)).toEqual([2, 2, 2]);

    await freeze({ ...ANOMALY, mode: "outgoing_only" });
    expect(await rowOf(wallet)).toMatchObject({ freezeReason: "legal_order", epoch: 2 });
    expect(await countsOf(wallet)).toEqual([2, 2, 2]);
  });

  it("204: with the scope agent, all wallets of the agent in this mode", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, agentId, path } = wallet;
    const seed = async (of: string, network: "polygon" | "base", mode: "live" | "test" = "test") => ({
      ...(await seedWallet(harness.app, { tenantId, agentId: of, network, mode })),
      ...{ tenantId, mode },
    });
    const second = await seed(agentId, "polygon");
    const live = await seed(agentId, "polygon", "live");
    const { agent_id: otherId } = await postAgent(tenant);
    const other = await seed(otherId, "base");

    await tenant.post(`${path}/freeze`, { ...ANOMALY, scope: "agent" });

    const states = await Promise.all([wallet, second, live, other].map(stateOf));
    expect(states.map(([status]) => status)).toEqual(["frozen", "frozen", "active", "active"]);
    expect(await countsOf(second)).toEqual([1, 1, 1]);
  });

  it("204: with a dashboard session", async () => {
    const { developerId, as } = await sessionsOf(harness).seedAccount();
    const tenantId = developerId as `dev_${string}`;
    const { post } = await harness.seedKey(tenantId, { mode: "test", scopes: SCOPES });
    const { agent_id: agentId } = await postAgent({ post });
    const { walletId } = await seedWallet(harness.app, { tenantId, agentId });

    const { status } = await harness.send({
      method: "POST",
      url: `${PREFIX}/wallets/${walletId}/freeze`,
      headers: { ...as.headers, "x-svc-mode": "test", "content-type": "application/json" },
      payload: JSON.stringify(ANOMALY),
    });

    expect(status).toBe(204);
    expect((await stateOf({ tenantId, walletId, mode: "test" }))[0]).toBe("frozen");
  });

  it("204: a key that is bound to the agent, which is then the one that froze the wallet", async () => {
    const wallet = await arrange();
    const { tenantId, agentId, walletId, path } = wallet;
    const bound = await harness.seedKey(tenantId, {
      mode: "test",
      scopes: SCOPES,
      agentIds: [agentId],
    });

    expect((await bound.post(`${path}/freeze`, ANOMALY)).status).toBe(204);

    const by = { type: "agent", id: agentId };
    expect(await rowOf(wallet)).toMatchObject({ freezeSource: "developer", frozenBy: by });
    expect((await auditOf(harness.app, walletId))[0]?.actor).toMatchObject(by);
  });

  it("404: another agent's key, another agent in X-Agent-ID, another mode or another tenant", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, agentId, path } = wallet;
    const { agent_id: otherId } = await postAgent(tenant);
    const seed = { mode: "test", scopes: SCOPES } as const;
    const bound = await harness.seedKey(tenantId, { ...seed, agentIds: [otherId] });
    const live = await harness.seedKey(tenantId, { ...seed, mode: "live" });
    const foreign = await harness.seedTenant(seed);
    const named = (id: string) => ({ headers: { "x-agent-id": id } });

    const answers = [
      await bound.post(`${path}/freeze`, ANOMALY),
      await live.post(`${path}/freeze`, ANOMALY),
      await foreign.post(`${path}/freeze`, ANOMALY),
      await tenant.post(`${path}/freeze`, ANOMALY, named(otherId)),
      await tenant.post(`${path}/freeze`, ANOMALY, named(randomUUID())),
      await tenant.post("/wallets/wal_1/freeze", ANOMALY),
    ];

    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([404, "wallet_not_found"]);
    }
    expect((await stateOf(wallet))[0]).toBe("active");
    expect((await tenant.post(`${path}/freeze`, ANOMALY, named(agentId))).status).toBe(204);
  });

  it("422: an invalid field", async () => {
    const wallet = await arrange();
    const past = harness.clock.now().toISOString();
    const wrong: readonly [object, string][] = [
      [{}, "/body/reason"],
      [{ reason: "because" }, "/body/reason"],
      [{ reason: "other" }, "/body/note"],
      [{ ...ANOMALY, note: "" }, "/body/note"],
      [{ ...ANOMALY, note: "x".repeat(1_001) }, "/body/note"],
      [{ ...ANOMALY, reference: "x".repeat(201) }, "/body/reference"],
      [{ ...ANOMALY, expires_at: past }, "/body/expires_at"],
      [{ ...ANOMALY, expires_at: "soon" }, "/body/expires_at"],
      [{ ...ANOMALY, scope: "tenant" }, "/body/scope"],
      [{ ...ANOMALY, mode: "none" }, "/body/mode"],
      [{ ...ANOMALY, frozen_by: "me" }, "/body/frozen_by"],
      [{ ...ANOMALY, source: "admin" }, "/body/source"],
    ];

    for (const [body, pointer] of wrong) {
      const answer = await wallet.tenant.post(`${wallet.path}/freeze`, body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([{ pointer }]);
    }
    expect(await countsOf(wallet)).toEqual([0, 0, 0]);
  });

  it("204: a repeated Idempotency-Key does not freeze a wallet again that was unfrozen", async () => {
    const wallet = await arrange();
    const { tenant, path } = wallet;
    const options = { headers: { "idempotency-key": randomUUID() } };
    await tenant.post(`${path}/freeze`, ANOMALY, options);
    await tenant.post(`${path}/unfreeze`);

    const again = await tenant.post(`${path}/freeze`, ANOMALY, options);

    expect([again.status, again.text]).toEqual([204, ""]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await stateOf(wallet))[0]).toBe("active");
  });
});
