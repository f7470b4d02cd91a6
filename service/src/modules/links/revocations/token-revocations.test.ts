import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, seedService } from "../../../../test/project-seeds.ts";
import { linkTokensOf } from "../../../../test/vendors/link-tokens.ts";
import type { ProviderTokens } from "../../../ports/service-provider.ts";
import { openProviderAccess } from "../open-provider-access.ts";

const ACCEPTED = { access: true, refresh: true };
const REFUSED = { access: false, refresh: false };
const HOUR_S = 3_600;

describe("tokens of a link that ends", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "5000" },
  });
  const { services, link, tokensOf, acceptedOf, revokeDue, revokeCalls, waiting, ...tokens } = linkTokensOf(harness);
  beforeEach(tokens.reset);

  it("are revoked after DELETE of the link", async () => {
    const { key, end } = await link();
    const stored = await tokensOf(key);

    expect((await end()).status).toBe(200);
    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
    expect(await waiting()).toEqual([]);
    expect((await auditOf(harness.app, key.linkId)).slice(-2)).toMatchObject([
      { action: "link.revoked", actor: { type: "developer" } },
      { action: "link.tokens_revoked", actor: { type: "system" }, facts: { provider: "supabase" } },
    ]);
  });

  it("are revoked after the project is deleted", async () => {
    const { tenant, projectId, key } = await link();
    const stored = await tokensOf(key);

    expect((await tenant.delete(`/projects/${projectId}`)).body.status).toBe("deleted");
    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
  });

  it("are revoked after another account is linked; the tokens of that account stay valid", async () => {
    const former = await link();
    const stored = await tokensOf(former.key);
    const next = await link({ ...former, persona: "grace", fields: { force: true } });

    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
    expect(await acceptedOf(await tokensOf(next.key))).toEqual(ACCEPTED);
  });

  it("are only deleted after the same account is linked again", async () => {
    const former = await link();
    const next = await link({ ...former, fields: { force: true } });
    const calls = revokeCalls().length;

    await revokeDue();

    expect(revokeCalls()).toHaveLength(calls);
    expect(await waiting()).toEqual([]);
    expect(await acceptedOf(await tokensOf(next.key))).toEqual(ACCEPTED);
    expect((await auditOf(harness.app, former.linkId)).at(-1)?.action).toBe("link.revoked");
  });

  it("are revoked as a refresh has left them that ends while the link is revoked", async () => {
    const { key, end } = await link();
    const refresh = new Client({ connectionString: harness.database.superuserUrl });
    await refresh.connect();
    onTestFinished(() => refresh.end());
    await refresh.query("begin");
    await refresh.query("update provider_link_secrets set version = 1 where link_id = $1", [key.linkId]);

    const ended = end();
    const locked = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(() => services.rows(locked)).toHaveLength(1);
    await refresh.query("commit");

    expect((await ended).status).toBe(200);
    expect(await waiting()).toMatchObject([{ version: 1 }]);
  });

  it("are not revoked if the developer has pasted them", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { linkId } = await services.linkNeon(tenant, projectId);

    expect((await tenant.delete(`/projects/${projectId}/links/${linkId}`)).status).toBe(200);

    expect(await waiting()).toEqual([]);
  });

  it("are not revoked if the provider has rejected the refresh token", async () => {
    const { key } = await link();
    const { refreshToken } = await tokensOf(key);
    await harness.app.providers.get("supabase")?.oauth?.revoke?.(refreshToken ?? "");
    harness.clock.advanceSeconds(HOUR_S);

    const opened = openProviderAccess(harness.app, key, { pause: async () => {} });

    await expect(opened).rejects.toMatchObject({ code: "provider_not_linked" });
    expect((await auditOf(harness.app, key.linkId)).at(-1)?.action).toBe("link.expired");
    expect(await waiting()).toEqual([]);
  });
});

describe("tokens that were issued for a link but not stored", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "5000" },
  });
  const { link, tokensOf, acceptedOf, revokeDue, waiting, ...tokens } = linkTokensOf(harness);
  beforeEach(tokens.reset);

  /** Collects the tokens of the next exchanges, and runs `work` before they are stored. */
  function collectIssued(work: () => Promise<unknown> = async () => {}) {
    const issued: ProviderTokens[] = [];
    tokens.afterExchange(async (one) => {
      issued.push(one);
      await work();
    });
    return issued;
  }

  it("are revoked if the link fails with other_account; the account in use stays linked", async () => {
    const used = await link();
    await seedService(harness.app, {
      ...{ tenantId: used.tenantId, projectId: used.projectId, linkId: used.linkId },
      ...{ provider: "supabase", service: "supabase/project" },
    });
    const issued = collectIssued();

    const { answer } = await link({ ...used, persona: "grace", fields: { force: true } });
    await revokeDue();

    expect(answer.body).toMatchObject({ status: "failed", error: "other_account" });
    expect(issued).toHaveLength(1);
    for (const one of issued) expect(await acceptedOf(one)).toEqual(REFUSED);
    expect(await acceptedOf(await tokensOf(used.key))).toEqual(ACCEPTED);
  });

  it("are only deleted if the link fails and another project has linked the account", async () => {
    const used = await link();
    await seedService(harness.app, {
      ...{ tenantId: used.tenantId, projectId: used.projectId, linkId: used.linkId },
      ...{ provider: "supabase", service: "supabase/project" },
    });
    await link({ persona: "grace" });
    const issued = collectIssued();

    await link({ ...used, persona: "grace", fields: { force: true } });
    await revokeDue();

    expect(await waiting()).toEqual([]);
    for (const one of issued) expect(await acceptedOf(one)).toEqual(ACCEPTED);
  });

  it("are revoked if the project is no longer active", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "suspended" });
    const issued = collectIssued(() =>
      tokens.services.rows("update projects set status = 'suspended' where project_id = $1", [body.project_id]),
    );

    const { answer } = await link({ tenant, projectId: body.project_id });
    await revokeDue();

    expect(answer.body).toMatchObject({ status: "failed", error: "project_not_active" });
    for (const one of issued) expect(await acceptedOf(one)).toEqual(REFUSED);
  });

  it("are revoked if the link was revoked while the code was exchanged", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await tokens.services.newProject(tenant);
    const path = `/projects/${projectId}/links`;
    const issued = collectIssued(async () => {
      const { body } = await tenant.get(path);
      await tenant.delete(`${path}/${body.data[0].link_id}`);
    });

    const { answer } = await link({ tenant, projectId });
    await revokeDue();

    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_state" } });
    expect(issued).toHaveLength(1);
    for (const one of issued) expect(await acceptedOf(one)).toEqual(REFUSED);
  });

  it("are not revoked if the developer has pasted them", async () => {
    const { services } = tokens;
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { linkId } = await services.linkNeon(tenant, projectId);
    await seedService(harness.app, {
      ...{ tenantId: tenant.tenantId, projectId, linkId: linkId as `lnk_${string}` },
    });

    const { answer } = await services.linkByToken(tenant, projectId, "neon", "sandbox-other", {
      force: true,
    });

    expect(answer.status).toBe(409);
    expect((await tenant.get(`/projects/${projectId}/links`)).body.data[0]).toMatchObject({
      status: "failed",
      error: "other_account",
    });
    expect(await waiting()).toEqual([]);
  });

  /** Arranges a link whose tokens are being refreshed. `finish` lets the provider's response arrive. */
  async function arrangeRefresh() {
    const linked = await link();
    harness.clock.advanceSeconds(HOUR_S);
    const issued: ProviderTokens[] = [];
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    tokens.replace("refresh", (refresh) => async (refreshToken) => {
      const refreshed = await refresh(refreshToken);
      issued.push(refreshed);
      hold();
      await isReleased;
      return refreshed;
    });
    const opened = openProviderAccess(harness.app, linked.key).catch((error: unknown) => error);
    await isHeld;
    const finish = async () => {
      release();
      return opened;
    };
    return { ...linked, issued, finish };
  }

  it.each([
    ["its link is revoked", "before"],
    ["its link is revoked and the former tokens were revoked", "after"],
  ])("are revoked if a refresh ends after %s", async (_what, order) => {
    const { end, issued, finish } = await arrangeRefresh();
    await end();
    if (order === "after") await revokeDue();

    expect(await finish()).toMatchObject({ code: "provider_not_linked" });
    await revokeDue();

    expect(await waiting()).toEqual([]);
    expect(issued).toHaveLength(1);
    for (const one of issued) expect(await acceptedOf(one)).toEqual(REFUSED);
  });

  /** Lets the link expire during the refresh, as if the provider had not answered in time. */
  async function arrangeLateRefresh() {
    const arranged = await arrangeRefresh();
    const pause = async () => {};
    await expect(openProviderAccess(harness.app, arranged.key, { pause })).rejects.toMatchObject({
      code: "provider_not_linked",
    });
    return arranged;
  }

  it("are revoked if a refresh ends after its link has expired and the project was deleted", async () => {
    const { tenant, projectId, issued, finish } = await arrangeLateRefresh();
    await tenant.delete(`/projects/${projectId}`);

    expect(await finish()).toMatchObject({ code: "provider_not_linked" });
    await revokeDue();

    for (const one of issued) expect(await acceptedOf(one)).toEqual(REFUSED);
  });

  it("are not revoked if a refresh has succeeded twice at the same time", async () => {
    const { key, finish } = await arrangeRefresh();
    await tokens.services.rows("update provider_link_secrets set version = version + 1 where link_id = $1", [
      key.linkId,
    ]);

    await finish();

    expect(await waiting()).toEqual([]);
  });
});
