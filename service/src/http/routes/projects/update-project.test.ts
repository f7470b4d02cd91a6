import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf, seedCharge } from "../../../../test/project-seeds.ts";
import { newId } from "../../../foundation/ids.ts";

describe("PATCH /projects/{project_id}", () => {
  const harness = useHarness();

  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "before", ...fields });
    harness.clock.advanceSeconds(5);
    const path = `/projects/${body.project_id}`;
    return {
      tenant,
      path,
      before: body,
      id: body.project_id as string,
      patch: (change: object, headers = {}) => tenant.patch(path, change, { headers }),
    };
  }

  it("200: an empty change leaves everything unchanged, without audit entry and event", async () => {
    const { patch, before, id } = await arrange({ description: "d", metadata: { a: "1" } });

    expect(await patch({})).toMatchObject({ status: 200, body: before });
    expect(await auditOf(harness.app, id)).toHaveLength(1);
    expect(await eventsOf(harness.app, id)).toHaveLength(1);
  });

  it("200: setting fields to their current values changes nothing", async () => {
    const { patch, before } = await arrange({ metadata: { b: "2", a: "1" } });

    const answer = await patch({ name: "before", monthly_cap: "100", metadata: { a: "1" } });

    expect(answer.body).toEqual(before);
  });

  it("200: changes the given fields and leaves absent ones unchanged", async () => {
    const { tenant, path, patch, before, id } = await arrange({ description: "unchanged" });
    const agent = randomUUID();

    const { status, body } = await patch({
      name: "After All",
      monthly_cap: 5,
      cap_behavior: "require_approval",
      agent_ids: [agent],
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: "After All",
      slug: "after-all",
      monthly_cap: "5.00",
      cap_behavior: "require_approval",
      agent_ids: [agent],
      usage: { ...before.usage, remaining: "5.00" },
      updated_at: harness.clock.now().toISOString(),
    });
    expect((await tenant.get(path)).body).toEqual(body);
    const [, entry] = await auditOf(harness.app, id);
    expect(entry).toMatchObject({
      action: "project.updated",
      facts: {
        fields: ["name", "monthly_cap", "cap_behavior", "agent_ids"],
        monthly_cap: "5.00",
        previous_monthly_cap: "100.00",
      },
    });
    expect((await eventsOf(harness.app, id))[1]).toMatchObject({
      type: "project.updated",
      data: body,
    });
  });

  it("200: null clears a field", async () => {
    const agent_ids = [randomUUID()];
    const full = {
      description: "d",
      agent_ids,
      metadata: { a: "1" },
      provider_caps: { neon: "1" },
    };
    const { patch } = await arrange(full);

    const { body } = await patch({
      description: null,
      agent_ids: null,
      metadata: null,
      provider_caps: null,
      policy_id: null,
    });

    expect(body).toMatchObject({ description: null, agent_ids: [], policy_id: null });
    expect([body.metadata, body.provider_caps]).toEqual([{}, {}]);
  });

  it("200: a change of policy_id or agent_ids raises the policy revision, another does not", async () => {
    const { tenant, patch } = await arrange();
    const { body: policy } = await tenant.post("/policies", { name: "buyer", rules: [] });
    const revision = async () => {
      const revisions = harness.app.db.selectFrom("policyRevisions").select("revision");
      const row = await revisions.where("tenantId", "=", tenant.tenantId).executeTakeFirst();
      return Number(row?.revision);
    };

    expect((await patch({ policy_id: policy.policy_id })).body.policy_id).toBe(policy.policy_id);
    expect(await revision()).toBe(2);
    await patch({ agent_ids: [randomUUID()] });
    expect(await revision()).toBe(3);
    await patch({ description: "other" });
    expect(await revision()).toBe(3);
    expect((await patch({ policy_id: null })).body.policy_id).toBeNull();
    expect(await revision()).toBe(4);
    const unknown = await patch({ policy_id: newId("pol") });
    expect(unknown.body.errors).toMatchObject([{ pointer: "/body/policy_id", code: "unknown" }]);
    expect(await revision()).toBe(4);
  });

  it("200: metadata and provider_caps merge, and a null value removes its key", async () => {
    const { patch } = await arrange({
      metadata: { keep: "1", change: "1", drop: "1" },
      provider_caps: { neon: "1.00", supabase: "2.00" },
    });

    const { body } = await patch({
      metadata: { change: "2", drop: null, add: "3", never: null },
      provider_caps: { neon: null, supabase: 3.5 },
    });

    expect(body.metadata).toEqual({ keep: "1", change: "2", add: "3" });
    expect(body.provider_caps).toEqual({ supabase: "3.50" });
  });

  it("200: the cap can be lower than the spending", async () => {
    const { tenant, id, patch } = await arrange();
    await seedCharge(harness.app, { tenantId: tenant.tenantId, projectId: id, amountCents: 5000n });

    const { status, body } = await patch({ monthly_cap: "10.00" });

    expect(status).toBe(200);
    expect(body.usage).toMatchObject({ spent: "50.00", remaining: "0.00" });
  });

  it("409: the name differs only in case from another project's; 200: from the project's own", async () => {
    const { tenant, patch } = await arrange();
    await tenant.post("/projects", { name: "Other" });

    expect((await patch({ name: "BEFORE" })).body.name).toBe("BEFORE");
    expect(await patch({ name: "oTHER" })).toMatchObject({
      status: 409,
      body: { code: "already_exists", errors: [{ pointer: "/body/name" }] },
    });
  });

  it("200: a repeated Idempotency-Key returns the first response and changes nothing", async () => {
    const { patch, id } = await arrange();
    const headers = { "idempotency-key": randomUUID() };

    const first = await patch({ description: "once" }, headers);
    await patch({ description: "since" });
    const again = await patch({ description: "once" }, headers);

    expect(again.text).toBe(first.text);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await auditOf(harness.app, id)).toHaveLength(3);
  });

  it("200: concurrent changes are all applied", async () => {
    const { tenant, path, patch } = await arrange();

    await Promise.all(Array.from({ length: 10 }, (_, index) => patch({ metadata: { [`key_${index}`]: "x" } })));

    expect(Object.keys((await tenant.get(path)).body.metadata)).toHaveLength(10);
  });

  it("422: each invalid nullable field has one error", async () => {
    const { patch } = await arrange();

    const { status, body } = await patch({
      description: 5,
      provider_caps: { neon: "x" },
      metadata: { a: 5 },
      agent_ids: "all",
    });

    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/body/agent_ids",
      "/body/description",
      "/body/metadata/a",
      "/body/provider_caps/neon",
    ]);
  });

  it("422: metadata would have more than 50 keys after the merge", async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, "x"]));
    const { patch } = await arrange({ metadata: keys(0, 50) });

    const over = await patch({ metadata: keys(50, 1) });
    const exchanged = await patch({ metadata: { k0: null, ...keys(50, 1) } });

    expect(over).toMatchObject({ status: 422, body: { errors: [{ pointer: "/body/metadata" }] } });
    expect(exchanged.status).toBe(200);
  });

  it.each<[string, object, string]>([
    ["a name of null", { name: null }, "/body/name"],
    ["an empty name", { name: "" }, "/body/name"],
    ["a cap of null", { monthly_cap: null }, "/body/monthly_cap"],
    ["a cap with three decimals", { monthly_cap: 0.125 }, "/body/monthly_cap"],
    ["a provider's cap with three decimals", { provider_caps: { neon: 0.125 } }, "/body/provider_caps/neon"],
    ["an unknown provider", { provider_caps: { acme: null } }, "/body/provider_caps/acme"],
    ["an unknown cap_behavior", { cap_behavior: "warn" }, "/body/cap_behavior"],
    ["an agent that is not a UUID", { agent_ids: ["x"] }, "/body/agent_ids/0"],
    ["an unknown policy", { policy_id: "pol_1" }, "/body/policy_id"],
    ["metadata with NUL", { metadata: { a: "\0" } }, "/body/metadata/a"],
    ["the currency", { currency: "usd" }, "/body/currency"],
    ["the environments", { environments: ["x"] }, "/body/environments"],
    ["the status", { status: "suspended" }, "/body/status"],
    ["the mode", { mode: "test" }, "/body/mode"],
  ])("422: %s", async (_what, change, pointer) => {
    const { tenant, path, patch, before } = await arrange();

    const answer = await patch(change);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect((await tenant.get(path)).body).toEqual(before);
  });
});
