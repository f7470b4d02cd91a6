import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker } from "../../../../test/audit-trail.ts";
import { useHarness } from "../../../../test/harness.ts";

const PATH = "/developers/provider-keys/audit/verify";

describe("GET /developers/provider-keys/audit/verify", () => {
  const harness = useHarness();

  it("200: recomputes the provider_keys chain and reports a changed entry", async () => {
    const tenant = await harness.seedTenant({ scopes: ["audit:read"] });
    const key = { tenantId: tenant.tenantId, chain: "provider_keys" } as const;
    await appendEntries(harness.app.db, key, { count: 3 });
    await appendEntries(harness.app.db, { ...key, chain: "tenant" }, { count: 5 });

    const { status, body } = await tenant.get(PATH);

    expect([status, body]).toMatchObject([
      200,
      { valid: true, chain: "provider_keys", entries_checked: 3, broken_at: null },
    ]);
    expect((await tenant.get("/audit/verify?chain=provider_keys")).body).toEqual(body);

    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    await intruder.tamper(
      `update audit_entries set facts = '{}' where ${intruder.own} and subject ->> 'id' = 'note_2'`,
    );
    await intruder.end();
    expect((await tenant.get(PATH)).body).toMatchObject({
      valid: false,
      broken_at: { sequence: 2, reason: "hash_mismatch" },
    });
  });

  it.each([
    ["lacks audit:read", { scopes: ["provider_keys:read"] }],
    ["is bound to a project", { projectIds: ["proj_01hf7yat00rm3czb8yy5nw42xz"] }],
  ] as const)("403: key %s", async (_name, seed) => {
    const tenant = await harness.seedTenant(seed);

    expect((await tenant.get(PATH)).status).toBe(403);
  });

  it("422: request has a query", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get(`${PATH}?chain=tenant`)).status).toBe(422);
  });
});
