import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../../test/audit-trail.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { checkpointChain } from "../../../audit/checkpoints/checkpoint.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";

describe("GET /audit/checkpoints", () => {
  const harness = useHarness();

  async function arrange(checkpoints: number) {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    for (let number = 1; number <= checkpoints; number += 1) {
      await appendEntries(harness.app.db, key, { count: 2, first: 2 * number - 1 });
      await checkpointChain(harness.app, key);
    }
    return { tenant, key };
  }

  it("200: returns signed checkpoints that verify with the published keys", async () => {
    const { tenant } = await arrange(2);
    const { keys } = (await harness.send({ method: "GET", url: "/.well-known/jwks.json" })).body;

    const { status, body } = await tenant.get("/audit/checkpoints");

    expect([status, body]).toMatchObject([200, { object: "list", has_more: false }]);
    const [newest, oldest] = body.data;
    expect(newest).toEqual({
      object: "audit_checkpoint",
      tenant_id: tenant.tenantId,
      chain: "tenant",
      sequence: 4,
      head_hash: (await tenant.get("/audit/verify")).body.head_hash,
      time: "2026-11-21T10:00:00.000Z",
      prev_checkpoint_hash: oldest.checkpoint_hash,
      checkpoint_hash: expect.any(String),
      key_id: keys[0].kid,
      signature: expect.any(String),
      anchored_at: "2026-11-21T10:00:00.000Z",
      reference: expect.stringMatching(/^file:/),
    });
    for (const checkpoint of body.data) {
      const { tenant_id, chain, sequence, head_hash, time, prev_checkpoint_hash } = checkpoint;
      const stated = { tenant_id, chain, sequence, head_hash, time, prev_checkpoint_hash };
      expect(checkpoint.checkpoint_hash).toBe(sha256Hex(canonicalJson(stated)));
      const key = createPublicKey({ format: "jwk", key: keys[0] });
      const signature = Buffer.from(checkpoint.signature, "base64url");
      expect(verify(null, Buffer.from(checkpoint.checkpoint_hash), key, signature)).toBe(true);
    }
  });

  it("200: returns pages of the requested chain, newest first", async () => {
    const { tenant, key } = await arrange(3);
    await appendEntries(harness.app.db, { ...key, chain: "provider_keys" }, { count: 1 });
    await checkpointChain(harness.app, { ...key, chain: "provider_keys" });
    const sequences = ({ data }: AnyBody) => data.map(({ sequence }: AnyBody) => sequence);

    const first = (await tenant.get("/audit/checkpoints?limit=2")).body;
    const second = (await tenant.get(`/audit/checkpoints?limit=2&cursor=${first.next_cursor}`)).body;

    expect([first, second].map(sequences)).toEqual([[6, 4], [2]]);
    expect([first, second].map(({ has_more }) => has_more)).toEqual([true, false]);
    const other = (await tenant.get("/audit/checkpoints?chain=provider_keys")).body;
    expect(sequences(other)).toEqual([1]);
  });

  it("200: an unpublished checkpoint has no reference and no anchored_at", async () => {
    const tenant = await harness.seedTenant();
    const key = { tenantId: tenant.tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count: 1 });
    const publish = () => Promise.reject(new Error("the anchor is down"));
    const auditAnchor = { ...harness.app.auditAnchor, publish };
    await checkpointChain({ ...harness.app, auditAnchor }, key).catch(() => {});

    expect((await tenant.get("/audit/checkpoints")).body.data).toMatchObject([
      { sequence: 1, anchored_at: null, reference: null },
    ]);
  });
});
