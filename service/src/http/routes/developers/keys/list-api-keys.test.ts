import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { writeKeyUses } from "../../../../modules/developers/keys/write-key-uses.ts";

const KEYS = "/developers/me/keys";

describe("GET /developers/me/keys", () => {
  const harness = useHarness();

  it("200: keys of every status, newest first", async () => {
    const tenant = await harness.seedTenant();
    harness.clock.advanceSeconds(1);
    const second = await harness.seedKey(tenant.tenantId, { mode: "test" });
    await tenant.delete(`${KEYS}/${second.keyId}`);

    const { body } = await tenant.get(KEYS);

    expect(body).toMatchObject({
      object: "list",
      has_more: false,
      data: [
        { key_id: second.keyId, status: "revoked" },
        { key_id: tenant.keyId, status: "active" },
      ],
    });
  });

  it("200: the first page has all keys that are not revoked; revoked keys are paged", async () => {
    const tenant = await harness.seedTenant();
    const revoked: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { keyId } = await harness.seedKey(tenant.tenantId);
      await tenant.delete(`${KEYS}/${keyId}`);
      revoked.unshift(keyId);
      if (count === 1) harness.clock.advanceSeconds(1);
    }
    const idsOf = (body: { data: { key_id: string }[] }) => body.data.map(({ key_id }) => key_id);

    const first = (await tenant.get(`${KEYS}?limit=2`)).body;
    const second = (await tenant.get(`${KEYS}?limit=2&cursor=${first.next_cursor}`)).body;

    expect(idsOf(first)).toContain(tenant.keyId);
    expect(first).toMatchObject({ has_more: true });
    expect(idsOf(first)).toHaveLength(3);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(idsOf(second)).toHaveLength(1);
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual([tenant.keyId, ...revoked].sort());
    expect((await tenant.get(`${KEYS}?cursor=bm9uZQ`)).status).toBe(422);
  });

  it("200: time and network of the last use, before and after they are written to the database", async () => {
    const tenant = await harness.seedTenant();
    const used = {
      last_used_at: harness.clock.now().toISOString(),
      last_used_ip: "127.0.0.0/24",
    };

    expect((await tenant.get(KEYS)).body.data).toMatchObject([used]);
    await writeKeyUses(harness.app);
    expect(harness.app.keyUses.size).toBe(0);
    const another = await harness.seedKey(tenant.tenantId);
    const { body } = await another.get(KEYS);
    expect(body.data).toContainEqual(expect.objectContaining({ key_id: tenant.keyId, ...used }));
  });
});
