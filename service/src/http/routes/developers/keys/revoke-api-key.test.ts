import { describe, expect, it } from "vitest";
import { failingFastState } from "../../../../../test/fast-state/failing-fast-state.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("DELETE /developers/me/keys/{key_id}", () => {
  const store = failingFastState();
  const harness = useHarness({ replace: store.replace });

  /** Creates a developer with two live keys. The first key signs the calls that revoke the second key. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const other = await harness.seedKey(tenant.tenantId);
    return { tenant, other, path: `/developers/me/keys/${other.keyId}` };
  }

  it("200: the key is revoked, and its next request is 401", async () => {
    const { tenant, other, path } = await arrange();
    expect((await other.get("/developers/me")).status).toBe(200);

    const { status, body } = await tenant.delete(path);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "api_key",
      key_id: other.keyId,
      status: "revoked",
      revoked_at: harness.clock.now().toISOString(),
      updated_at: harness.clock.now().toISOString(),
    });
    expect(body).not.toHaveProperty("warnings");
    expect((await other.get("/developers/me")).status).toBe(401);
  });

  it("200: the key remains in the list, and a second call changes nothing", async () => {
    const { tenant, other, path } = await arrange();
    const first = await tenant.delete(path);
    harness.clock.advanceSeconds(5);

    expect((await tenant.delete(path)).body).toEqual(first.body);
    const { body } = await tenant.get("/developers/me/keys");
    expect(body.data).toContainEqual(expect.objectContaining({ key_id: other.keyId }));
  });

  it("200: a warning if it was the last live key", async () => {
    const tenant = await harness.seedTenant();

    const { body } = await tenant.delete(`/developers/me/keys/${tenant.keyId}`);

    expect(body).toMatchObject({ status: "revoked", warnings: ["last_live_key"] });
  });

  it("200: a live key revokes a test key, and the event has mode test", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });

    const { status, body } = await tenant.delete(`/developers/me/keys/${test.keyId}`);

    expect(status).toBe(200);
    expect(body).not.toHaveProperty("warnings");
    const events = await harness.app.db
      .selectFrom("events")
      .selectAll()
      .where("tenantId", "=", tenant.tenantId)
      .execute();
    expect(events).toMatchObject([{ mode: "test" }]);
  });

  it("503: the fast state fails before the change, and the key still works", async () => {
    const { tenant, other, path } = await arrange();
    const answer = await store.while("suspendEpoch", () => tenant.delete(path));

    expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect((await other.get("/developers/me")).status).toBe(200);
  });

  it("200: the fast state fails after the change, and the key stays revoked", async () => {
    const { tenant, other, path } = await arrange();
    expect((await other.get("/developers/me")).status).toBe(200);
    const answer = await store.while("setEpoch", () => tenant.delete(path));

    expect(answer.status).toBe(200);
    expect((await other.get("/developers/me")).status).toBe(401);
    harness.clock.advanceSeconds(120);
    expect((await other.get("/developers/me")).status).toBe(401);
  });
});
