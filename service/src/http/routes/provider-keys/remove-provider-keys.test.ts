import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openProviderCredentials } from "../../../modules/provider-keys/provider-keys.ts";

const PATH = "/developers/provider-keys/bridge";
const BODY = { credentials: { api_key: "sandbox-acme" }, verify: "skip" };

describe("DELETE /developers/provider-keys/{provider}", () => {
  const harness = useHarness();

  const secretsOf = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      tx.selectFrom("providerKeySecrets").select("field").where("tenantId", "=", tenantId).execute(),
    );

  const entriesOf = (tenantId: TenantId) =>
    harness.app.db
      .selectFrom("auditEntries")
      .select(["auditId", "action", "facts"])
      .where("tenantId", "=", tenantId)
      .where("chain", "=", "provider_keys")
      .orderBy("auditId")
      .execute();

  it("200: deletes the values and writes an audit entry", async () => {
    const { tenantId, put, get, delete: remove } = await harness.seedTenant();
    await put(PATH, BODY);

    const { status, body } = await remove(PATH);

    const [, entry] = await entriesOf(tenantId);
    expect([status, body]).toEqual([
      200,
      {
        provider: "bridge",
        configured: false,
        deleted_at: harness.clock.now().toISOString(),
        audit_id: entry?.auditId,
      },
    ]);
    expect(entry).toMatchObject({
      action: "provider_key.deleted",
      facts: { version: 2, field_names: ["api_key"] },
    });
    expect(await secretsOf(tenantId)).toEqual([]);
    const place = { tenantId, mode: "live", provider: "bridge" } as const;
    expect(await openProviderCredentials(harness.app, place)).toBeUndefined();
    expect((await get("/developers/provider-keys")).body.data).toContainEqual({
      provider: "bridge",
      kind: "stablecoin_payments",
      configured: false,
    });
    const events = await harness.app.db
      .selectFrom("events")
      .select(["type", "sequence"])
      .where("tenantId", "=", tenantId)
      .orderBy("eventId")
      .execute();
    expect(events).toEqual([
      { type: "provider_key.saved", sequence: 1 },
      { type: "provider_key.deleted", sequence: 2 },
    ]);
  });

  it("200: keys are not configured or already removed; no audit entry", async () => {
    const { tenantId, put, delete: remove } = await harness.seedTenant();
    const nothing = { provider: "bridge", configured: false, deleted_at: null, audit_id: null };

    expect((await remove(PATH)).body).toEqual(nothing);
    expect(await entriesOf(tenantId)).toEqual([]);
    await put(PATH, BODY);
    await remove("/developers/provider-keys/stablecoin_payments");
    expect((await remove(PATH)).body).toEqual(nothing);
    expect(await entriesOf(tenantId)).toHaveLength(2);
  });

  it("200: keys saved afterwards have a new version", async () => {
    const { put, delete: remove } = await harness.seedTenant();
    await put(PATH, BODY);
    await remove(PATH);

    expect((await put(PATH, BODY)).body.version).toBe(3);
  });

  it("200: concurrent calls remove the keys once and write one audit entry", async () => {
    const { tenantId, put, delete: remove } = await harness.seedTenant();
    await put(PATH, BODY);

    const responses = await Promise.all(Array.from({ length: 6 }, () => remove(PATH)));

    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(responses.filter(({ body }) => body.audit_id !== null)).toHaveLength(1);
    expect(await entriesOf(tenantId)).toHaveLength(2);
  });

  it("422: provider is unknown", async () => {
    const { delete: remove } = await harness.seedTenant();

    const { status, body } = await remove("/developers/provider-keys/stripe");

    expect([status, body.errors[0].pointer]).toEqual([422, "/path/provider"]);
  });
});
