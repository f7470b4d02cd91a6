import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { createProject } from "../../../modules/projects/projects.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";

describe("POST /projects", () => {
  const harness = useHarness();

  const countProjects = async (tenantId: string) =>
    (await harness.app.db.selectFrom("projects").select(["tenantId"]).execute()).filter(
      (row) => row.tenantId === tenantId,
    ).length;

  it("409: concurrent calls exceed the per-mode project limit; deleted projects do not count", async () => {
    const tenant = await harness.seedTenant();
    const limited = { ...harness.app, settings: { projectsMax: 3 } };
    const actor = { type: "developer", id: tenant.tenantId, key_id: null, ip: null } as const;
    const create = (name: string, mode: "live" | "test" = "live") =>
      createProject(
        limited,
        {
          actor: { tenantId: tenant.tenantId, mode, actor, requestId: "req_1" },
          name,
          description: null,
          monthlyCapCents: 0n,
          capBehavior: "block",
          providerCaps: {},
          environments: ["development"],
          agentIds: [],
          policyId: null,
          metadata: {},
        },
        async () => {},
      ).then(
        ({ projectId }) => projectId,
        ({ code }) => code,
      );

    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => create(`app ${n}`)));

    const created = results.filter((result) => result !== "conflict");
    expect(created).toHaveLength(3);
    expect(await create("other", "test")).toMatch(/^proj_/);
    expect((await tenant.delete(`/projects/${created[0]}`)).status).toBe(200);
    expect(await create("again")).toMatch(/^proj_/);
    expect(await create("once more")).toBe("conflict");
  });

  it("201: only the name is required, and the defaults are as documented", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.post("/projects", { name: "My App" });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "project",
      project_id: expect.stringMatching(/^proj_[0-9a-z]{26}$/),
      mode: "live",
      name: "My App",
      slug: "my-app",
      description: null,
      status: "active",
      monthly_cap: "100.00",
      currency: "usd",
      cap_behavior: "block",
      provider_caps: {},
      usage: {
        period_start: "2026-11-01T00:00:00.000Z",
        period_end: "2026-12-01T00:00:00.000Z",
        spent: "0.00",
        reserved: "0.00",
        remaining: "100.00",
      },
      billing: { customer_id: null, status: "none", default_payment_method: null },
      environments: ["development", "production"],
      links: [],
      services: [],
      agent_ids: [],
      policy_id: null,
      metadata: {},
      created_at: "2026-11-21T10:00:00.000Z",
      updated_at: "2026-11-21T10:00:00.000Z",
      deleted_at: null,
    });
    expect((await tenant.get(`/projects/${body.project_id}`)).body).toEqual(body);
  });

  it("201: all fields are set, with amounts as text and as JSON numbers", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.post("/projects", {
      name: "Töchter & Söhne 🚀",
      description: "two\nlines",
      monthly_cap: 0,
      currency: "usd",
      cap_behavior: "require_approval",
      provider_caps: { neon: "5", supabase: 12.5 },
      environments: ["staging", "prod-eu"],
      agent_ids: [AGENT.toUpperCase()],
      policy_id: null,
      metadata: { team: "red", note: "line\nline" },
    });

    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        name: "Töchter & Söhne 🚀",
        slug: "tochter-sohne",
        description: "two\nlines",
        monthly_cap: "0.00",
        cap_behavior: "require_approval",
        provider_caps: { neon: "5.00", supabase: "12.50" },
        environments: ["staging", "prod-eu"],
        agent_ids: [AGENT],
        metadata: { team: "red", note: "line\nline" },
      },
    });
  });

  it("201: writes an audit entry and an event", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const { body } = await tenant.post("/projects", { name: "watched", monthly_cap: "7.00" });

    expect(await auditOf(harness.app, body.project_id)).toMatchObject([
      {
        action: "project.created",
        mode: "test",
        facts: { name: "watched", monthly_cap: "7.00" },
        actor: { type: "developer", id: tenant.tenantId, key_id: tenant.keyId },
      },
    ]);
    expect(await eventsOf(harness.app, body.project_id)).toMatchObject([{ type: "project.created", data: body }]);
  });

  it("201: a repeated Idempotency-Key returns the same bytes and creates one project", async () => {
    const tenant = await harness.seedTenant();
    const headers = { "idempotency-key": randomUUID() };
    const body = { name: "once" };

    const first = await tenant.post("/projects", body, { headers });
    const again = await tenant.post("/projects", body, { headers });
    const other = await tenant.post("/projects", { name: "other" }, { headers });

    expect(again.text).toBe(first.text);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_conflict" } });
    expect(await countProjects(tenant.tenantId)).toBe(1);
  });

  it("201: the name exists only in the other mode or in another tenant", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const otherTenant = await harness.seedTenant();
    const name = "shared";

    const answers = [];
    for (const caller of [tenant, test, otherTenant]) {
      answers.push((await caller.post("/projects", { name })).status);
    }

    expect(answers).toEqual([201, 201, 201]);
  });

  it("201: the policy exists; raises the policy revision", async () => {
    const tenant = await harness.seedTenant();
    const { body: policy } = await tenant.post("/policies", { name: "buyer", rules: [] });
    const policy_id = policy.policy_id;

    const { status, body } = await tenant.post("/projects", { name: "bound", policy_id });

    expect({ status, body }).toMatchObject({ status: 201, body: { policy_id } });
    expect((await tenant.get(`/projects/${body.project_id}`)).body.policy_id).toBe(policy_id);
    const revisions = harness.app.db.selectFrom("policyRevisions").select("revision");
    expect(await revisions.where("tenantId", "=", tenant.tenantId).execute()).toEqual([{ revision: 2n }]);
  });

  it("422: the policy is deleted, or belongs to another tenant or mode", async () => {
    const tenant = await harness.seedTenant();
    const others = [tenant, await harness.seedTenant(), await harness.seedKey(tenant.tenantId, { mode: "test" })];
    const policyIds: string[] = [];
    for (const other of others) {
      policyIds.push((await other.post("/policies", { name: "p", rules: [] })).body.policy_id);
    }
    await tenant.delete(`/policies/${policyIds[0]}`);

    for (const policy_id of policyIds) {
      const answer = await tenant.post("/projects", { name: "bound", policy_id });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/body/policy_id", code: "unknown" }] },
      });
    }
    expect(await countProjects(tenant.tenantId)).toBe(0);
  });

  it.each([
    ["upper and lower case", "My App", "mY aPP"],
    ["Unicode encoding", "caf\u00e9", "cafe\u0301"],
  ])("409: the name differs only in %s", async (_what, first, second) => {
    const tenant = await harness.seedTenant();
    await tenant.post("/projects", { name: first });

    const answer = await tenant.post("/projects", { name: second });

    expect(answer).toMatchObject({
      status: 409,
      body: { code: "already_exists", errors: [{ pointer: "/body/name" }] },
    });
    expect(await countProjects(tenant.tenantId)).toBe(1);
  });

  it("409: 99 of 100 concurrent calls with the same name", async () => {
    const tenant = await harness.seedTenant();

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => tenant.post("/projects", { name: index % 2 === 0 ? "Race" : "race" })),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(99);
    const winner = answers.find(({ status }) => status === 201);
    expect(await auditOf(harness.app, winner?.body.project_id)).toHaveLength(1);
    expect(await countProjects(tenant.tenantId)).toBe(1);
  });

  it("403: key is bound to a project, even if the body is not valid JSON", async () => {
    const { tenantId } = await harness.seedTenant();
    const bound = await harness.seedKey(tenantId, {
      projectIds: ["proj_01jz0000000000000000000000"],
    });

    const answer = await bound.sendRaw("POST", "/projects", "{not json");

    expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  const bad: [string, object, string][] = [
    ["no name", {}, "/body/name"],
    ["an empty name", { name: "" }, "/body/name"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "/body/name"],
    ["a name with a leading space", { name: " x" }, "/body/name"],
    ["a name with a trailing space", { name: "x " }, "/body/name"],
    ["a name of two lines", { name: "a\nb" }, "/body/name"],
    ["a name with NUL", { name: "a\0b" }, "/body/name"],
    ["a name with a lone surrogate", { name: "a\ud800" }, "/body/name"],
    ["a name without visible characters", { name: "\u200b\u200d" }, "/body/name"],
    ["a name that is a number", { name: 7 }, "/body/name"],
    ["a description with NUL", { description: "\0" }, "/body/description"],
    ["a description of 1001 characters", { description: "x".repeat(1001) }, "/body/description"],
    ["a negative cap", { monthly_cap: "-1" }, "/body/monthly_cap"],
    ["a cap with three decimals", { monthly_cap: "1.005" }, "/body/monthly_cap"],
    ["a cap with three decimals as a number", { monthly_cap: 1.005 }, "/body/monthly_cap"],
    ["a cap with an exponent", { monthly_cap: "1e2" }, "/body/monthly_cap"],
    ["a cap of nineteen digits", { monthly_cap: "1".repeat(19) }, "/body/monthly_cap"],
    ["a cap of null", { monthly_cap: null }, "/body/monthly_cap"],
    ["another currency", { currency: "eur" }, "/body/currency"],
    ["an unknown cap_behavior", { cap_behavior: "warn" }, "/body/cap_behavior"],
    ["a cap of an unknown provider", { provider_caps: { acme: "1" } }, "/body/provider_caps/acme"],
    ["a provider's cap with three decimals", { provider_caps: { neon: "1.001" } }, "/body/provider_caps/neon"],
    ["no environment", { environments: [] }, "/body/environments"],
    ["21 environments", { environments: Array.from({ length: 21 }, (_, n) => `e${n}`) }, "/body/environments"],
    ["a repeated environment", { environments: ["a", "a"] }, "/body/environments"],
    ["an environment with a capital", { environments: ["Prod"] }, "/body/environments/0"],
    ["an environment of 33 characters", { environments: ["x".repeat(33)] }, "/body/environments/0"],
    ["an agent that is not a UUID", { agent_ids: ["me"] }, "/body/agent_ids/0"],
    ["a repeated agent", { agent_ids: [AGENT, AGENT.toUpperCase()] }, "/body/agent_ids"],
    ["51 agents", { agent_ids: Array.from({ length: 51 }, () => randomUUID()) }, "/body/agent_ids"],
    ["an unknown policy", { policy_id: "pol_1" }, "/body/policy_id"],
    ["metadata that is not text", { metadata: { a: 1 } }, "/body/metadata/a"],
    ["metadata with NUL", { metadata: { a: "\0" } }, "/body/metadata/a"],
    ["metadata with a lone surrogate", { metadata: { a: "\udc00" } }, "/body/metadata/a"],
    ["a metadata key of 41 characters", { metadata: { ["k".repeat(41)]: "" } }, `/body/metadata/${"k".repeat(41)}`],
    [
      "51 metadata keys",
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ""])) },
      "/body/metadata",
    ],
    ["a tenant id", { tenant_id: "dev_1" }, "/body/tenant_id"],
    ["a status", { status: "suspended" }, "/body/status"],
    ["usage", { usage: { spent: "0" } }, "/body/usage"],
  ];
  it.each(bad)("422: %s", async (_what, fields, pointer) => {
    const tenant = await harness.seedTenant();
    const body = pointer === "/body/name" ? fields : { name: "valid", ...fields };

    const answer = await tenant.post("/projects", body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await countProjects(tenant.tenantId)).toBe(0);
  });
});
