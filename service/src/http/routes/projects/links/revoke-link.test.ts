import { describe, expect, it } from "vitest";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { useLinking } from "../../../../../test/vendors/linking.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { TenantId } from "../../../../foundation/ids.ts";

describe("DELETE /projects/{project_id}/links/{link_id}", () => {
  const { harness, supabase, arrange, callback, openForm, seedService } = useLinking();

  async function secretsOf(tenantId: TenantId, linkId: string) {
    return withTransaction(harness.app.db, tenantId, (tx) =>
      tx
        .selectFrom("providerLinkSecrets")
        .select(["accessSealed", "pendingSealed"])
        .where("linkId", "=", linkId as `lnk_${string}`)
        .executeTakeFirst(),
    );
  }

  it("200: revokes the link and destroys its tokens", async () => {
    const { tenant, id, begin, linkByConsent } = await arrange();
    const { linkId } = await linkByConsent();
    const before = await secretsOf(tenant.tenantId, linkId);
    harness.clock.advanceSeconds(1);

    const answer = await tenant.delete(`/projects/${id}/links/${linkId}`);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        object: "link",
        link_id: linkId,
        status: "revoked",
        updated_at: harness.clock.now().toISOString(),
      },
    });
    expect(before?.accessSealed).toBeInstanceOf(Buffer);
    expect(await secretsOf(tenant.tenantId, linkId)).toEqual({
      accessSealed: null,
      pendingSealed: null,
    });
    expect((await auditOf(harness.app, linkId)).at(-1)).toMatchObject({
      action: "link.revoked",
      actor: { key_id: tenant.keyId },
    });
    expect((await eventsOf(harness.app, linkId)).at(-1)).toMatchObject({ type: "link.revoked" });
    expect(await begin("supabase")).toMatchObject({ status: "pending_auth" });
  });

  it("200: a pending link can no longer be completed", async () => {
    const { tenant, id, begin } = await arrange();
    const paste = await begin("neon");
    const consent = await begin("supabase");

    await tenant.delete(`/projects/${id}/links/${paste.link_id}`);
    await tenant.delete(`/projects/${id}/links/${consent.link_id}`);

    expect((await openForm(paste.url)).status).toBe(422);
    const code = supabase.consent(consent.url);
    expect((await callback({ state: consent.state, code })).status).toBe(422);
  });

  it("200: a revoked or expired link is returned unchanged", async () => {
    const { tenant, id, begin, linkByToken, read } = await arrange();
    const { linkId } = await linkByToken();
    const expired = (await begin("supabase")).link_id;
    await tenant.delete(`/projects/${id}/links/${linkId}`);
    const revoked = await read(linkId);
    harness.clock.advanceSeconds(600);

    const again = await tenant.delete(`/projects/${id}/links/${linkId}`);
    const late = await tenant.delete(`/projects/${id}/links/${expired}`);

    expect(again).toMatchObject({ status: 200, body: revoked });
    expect(late).toMatchObject({ status: 200, body: { status: "expired" } });
    expect(await eventsOf(harness.app, linkId)).toHaveLength(2);
    expect(await eventsOf(harness.app, expired)).toEqual([]);
  });

  it.each([
    ["pending", 409],
    ["provisioning", 409],
    ["active", 409],
    ["removing", 409],
    ["removed", 200],
    ["failed", 200],
  ] as const)("a link with a service that is %s: status %i", async (status, expected) => {
    const { tenant, id, linkByToken, read } = await arrange();
    const { linkId } = await linkByToken();
    await seedService(tenant.tenantId, { linkId, projectId: id, provider: "neon", status });

    const answer = await tenant.delete(`/projects/${id}/links/${linkId}`);

    expect(answer.status).toBe(expected);
    if (expected === 409) expect(answer.body.code).toBe("link_in_use");
    expect((await read(linkId)).status).toBe(expected === 409 ? "linked" : "revoked");
  });

  it("200: revokes a pending link while services use a different link", async () => {
    const { tenant, id, begin, linkByToken } = await arrange();
    const { linkId } = await linkByToken();
    await seedService(tenant.tenantId, { linkId, projectId: id, provider: "neon" });
    const pending = await begin("neon", { force: true });

    const answer = await tenant.delete(`/projects/${id}/links/${pending.link_id}`);

    expect(answer).toMatchObject({ status: 200, body: { status: "revoked" } });
  });
});
