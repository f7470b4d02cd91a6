import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf } from "../../../../../test/project-seeds.ts";
import { linkTokensOf } from "../../../../../test/vendors/link-tokens.ts";
import { openProviderAccess } from "../open-provider-access.ts";

const ACCEPTED = { access: true, refresh: true };
const REFUSED = { access: false, refresh: false };
const HOUR_S = 3_600;

describe("tokens of a link that ends", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "5000" },
  });
  const { services, link, tokensOf, acceptedOf, revokeDue, revokeCalls, waiting, ...tokens } =
    linkTokensOf(harness);
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
    await refresh.query("update provider_link_secrets set version = 1 where link_id = $1", [
      key.linkId,
    ]);

    const ended = end();
    const locked =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
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
