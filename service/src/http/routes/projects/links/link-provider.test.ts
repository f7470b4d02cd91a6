import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { auditOf, dumpDatabase, eventsOf } from "../../../../../test/project-seeds.ts";
import { useLinking } from "../../../../../test/vendors/linking.ts";

const TEN_MINUTES_S = 600;

describe("POST /projects/{project_id}/link", () => {
  const linking = useLinking();
  const { harness, arrange } = linking;

  it("200: returns a form for a token if the provider has no OAuth app", async () => {
    const { tenant, id } = await arrange();

    const { status, body } = await tenant.post(`/projects/${id}/link`, {
      provider: "neon",
      scopes: ["projects:read"],
      region: "aws-us-east-1",
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "link",
      link_id: expect.stringMatching(/^lnk_/),
      project_id: id,
      mode: "live",
      provider: "neon",
      flow: "api_token",
      status: "pending_auth",
      error: null,
      url: expect.stringMatching(new RegExp(`^http://purser\\.test/connect/${body.link_id}\\?key=[\\w-]{43}$`)),
      state: null,
      expires_at: new Date(harness.clock.now().getTime() + TEN_MINUTES_S * 1000).toISOString(),
      poll_url: `/api/v1/svc/projects/${id}/links/${body.link_id}`,
      next_action: { type: "open_url", actor: "human" },
      linked_at: null,
      account_label: null,
      scopes: ["projects:read"],
      created_at: harness.clock.now().toISOString(),
      updated_at: harness.clock.now().toISOString(),
    });
  });

  it("200: returns the consent page if the provider has an OAuth app, with PKCE challenge and callback", async () => {
    const { begin } = await arrange();

    const link = await begin("supabase", { mode: "existing_account" });

    const { searchParams } = new URL(link.url);
    expect(link).toMatchObject({ flow: "oauth", state: expect.stringMatching(/^[\w-]{43}$/) });
    expect(searchParams.get("state")).toBe(link.state);
    expect(searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get("redirect_uri")).toBe("http://purser.test/api/v1/svc/projects/webhooks/oauth-callback");
  });

  it("200: a new link expires earlier pending links of the same provider only", async () => {
    const { id, begin, read } = await arrange();
    const first = await begin("neon");
    const other = await begin("supabase");

    const second = await begin("neon");

    expect(await read(first.link_id)).toMatchObject({ status: "expired", url: null });
    expect((await linking.openForm(first.url)).status).toBe(422);
    expect(await read(second.link_id)).toMatchObject({ status: "pending_auth", url: second.url });
    expect((await read(other.link_id)).status).toBe("pending_auth");
    expect(await eventsOf(harness.app, first.link_id)).toMatchObject([
      { type: "link.expired", data: { project_id: id, status: "expired", url: null } },
    ]);
  });

  it("200: concurrent calls leave one pending link", async () => {
    const { begin, read } = await arrange();

    const started = await Promise.all(Array.from({ length: 8 }, () => begin("neon")));

    const links = await Promise.all(started.map(({ link_id }) => read(link_id)));
    expect(links.filter(({ status }) => status === "pending_auth")).toHaveLength(1);
  });

  it("200: returns the existing link if the provider is linked, unless force is true", async () => {
    const { begin, read, linkByToken } = await arrange();
    const { linkId } = await linkByToken();

    const again = await begin("neon");
    const forced = await begin("neon", { force: true });

    expect(again).toMatchObject({
      link_id: linkId,
      status: "linked",
      url: null,
      state: null,
      next_action: null,
      expires_at: null,
    });
    expect(forced).toMatchObject({ status: "pending_auth" });
    expect((await read(linkId)).status).toBe("linked");
  });

  it.each([
    ["http://purser.test/dashboard?tab=links"],
    ["http://127.0.0.1:4711/done"],
    ["http://[::1]:4711/"],
    ["http://localhost:4711/done"],
  ])("200: redirect_uri %s", async (redirect_uri) => {
    const { begin } = await arrange();

    expect((await begin("neon", { redirect_uri })).status).toBe("pending_auth");
  });

  it.each([
    ["https://evil.test/"],
    ["http://purser.test.evil.test/"],
    ["http://purser.test@evil.test/"],
    ["http://user@127.0.0.1/"],
    ["https://purser.test/"],
    ["http://127.0.0.1.evil.test/"],
    ["https://127.0.0.1/"],
    ["http://169.254.169.254/"],
    ["javascript:alert(1)"],
    ["blob:http://purser.test/"],
    ["//127.0.0.1/"],
    ["http://127.0.0.1/#here"],
    ["not a url"],
  ])("422: redirect_uri %s", async (redirect_uri) => {
    const { tenant, id } = await arrange();

    const { status, body } = await tenant.post(`/projects/${id}/link`, {
      provider: "neon",
      redirect_uri,
    });

    expect({ status, pointer: body.errors[0].pointer }).toEqual({
      status: 422,
      pointer: "/body/redirect_uri",
    });
  });

  it.each([
    ["/body/provider", { provider: "unknown" }],
    ["/body/provider", {}],
    ["/body/mode", { provider: "neon", mode: "new_account" }],
    ["/body/mode", { provider: "neon", mode: "other" }],
    ["/body/region", { provider: "neon", region: "the-moon" }],
    ["/body/scopes/0", { provider: "neon", scopes: ["two words"] }],
    ["/body/status", { provider: "neon", status: "linked" }],
    ["/body/account_id", { provider: "neon", account_id: "org-ada" }],
    ["/body/tenant_id", { provider: "neon", tenant_id: "dev_1" }],
  ])("422: invalid %s in %j", async (pointer, body) => {
    const { tenant, id } = await arrange();

    const answer = await tenant.post(`/projects/${id}/link`, body);

    expect({ status: answer.status, pointer: answer.body.errors[0].pointer }).toEqual({
      status: 422,
      pointer,
    });
  });

  it("409: accepted terms are not the current version", async () => {
    const { tenant, id, begin } = await arrange();

    const refused = await tenant.post(`/projects/${id}/link`, {
      provider: "neon",
      accept_terms_version: "1999-01",
    });

    expect(refused).toMatchObject({ status: 409, body: { code: "tos_acceptance_required" } });
    expect(await begin("neon", { accept_terms_version: "2026-05" })).toMatchObject({
      status: "pending_auth",
    });
  });

  it("404: project of another tenant or mode, deleted or unknown project, with the same response", async () => {
    const { tenant, id } = await arrange();
    const foreign = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const deleted = await arrange();
    await deleted.tenant.delete(`/projects/${deleted.id}`);

    const answers = [
      await foreign.post(`/projects/${id}/link`, { provider: "neon" }),
      await test.post(`/projects/${id}/link`, { provider: "neon" }),
      await deleted.tenant.post(`/projects/${deleted.id}/link`, { provider: "neon" }),
      await tenant.post("/projects/proj_1/link", { provider: "neon" }),
    ];

    const withoutIds = answers.map(({ body: { request_id, ...rest } }) => rest);
    expect(new Set(withoutIds.map((rest) => JSON.stringify(rest))).size).toBe(1);
    expect(withoutIds[0]).toMatchObject({ status: 404, code: "project_not_found" });
  });

  it("200: a repeated Idempotency-Key returns the link's current state and starts no other link", async () => {
    const { tenant, id } = await arrange();
    const headers = { "idempotency-key": randomUUID() };
    const begin = (body: object) => tenant.post(`/projects/${id}/link`, body, { headers });

    const first = await begin({ provider: "neon" });
    const again = await begin({ provider: "neon" });
    const other = await begin({ provider: "supabase" });
    await linking.paste(first.body.url, "token-ada");
    const later = await begin({ provider: "neon" });

    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_conflict" } });
    expect(later.body).toMatchObject({
      link_id: first.body.link_id,
      status: "linked",
      url: null,
    });
    expect((await tenant.get(`/projects/${id}/links`)).body.data).toHaveLength(1);
  });

  it("200: writes an audit entry; the link's secrets are not in entries, events, logs or stored responses", async () => {
    const { tenant, id } = await arrange();
    const headers = { "idempotency-key": randomUUID() };

    const paste = await tenant.post(`/projects/${id}/link`, { provider: "neon" }, { headers });
    const consent = await tenant.post(`/projects/${id}/link`, { provider: "supabase" });

    const secrets = [new URL(paste.body.url).searchParams.get("key") ?? "", consent.body.state as string];
    const dump = await dumpDatabase(harness.database.superuserUrl);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
      expect(harness.logLines.join("\n")).not.toContain(secret);
    }
    expect(await auditOf(harness.app, paste.body.link_id)).toMatchObject([
      {
        action: "link.begun",
        facts: { project_id: id, provider: "neon", flow: "api_token" },
        actor: { key_id: tenant.keyId },
      },
    ]);
  });

  it.each(["suspended", "deleting"] as const)("409: project is %s", async (status) => {
    const { tenant, id } = await arrange();
    await linking.setStatus(tenant, id, status);

    expect(await tenant.post(`/projects/${id}/link`, { provider: "neon" })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });

  it("200: project is delete_failed, and its services are in the same account", async () => {
    const { tenant, id, read, linkByToken } = await arrange();
    const { linkId: oldLinkId } = await linkByToken("ada");
    await linking.seedService(tenant.tenantId, {
      linkId: oldLinkId,
      projectId: id,
      provider: "neon",
    });
    await linking.setStatus(tenant, id, "delete_failed");

    const other = await linkByToken("grace", { force: true });
    const same = await linkByToken("ada", { force: true });

    expect(other.answer.status).toBe(409);
    expect(await read(other.linkId)).toMatchObject({ status: "failed", error: "other_account" });
    expect(same.answer.status).toBe(200);
    expect(await read(same.linkId)).toMatchObject({ status: "linked" });
  });

  it("409: project is delete_failed, and has no services of the provider", async () => {
    const { tenant, id, begin, read, linkByToken } = await arrange();
    const { linkId } = await linkByToken("ada");
    const pending = await begin("supabase");
    const place = { linkId, projectId: id, provider: "neon" } as const;
    await linking.seedService(tenant.tenantId, { ...place, status: "removed" });
    await linking.setStatus(tenant, id, "delete_failed");

    const answer = await tenant.post(`/projects/${id}/link`, { provider: "neon", force: true });
    const code = linking.supabase.consent(pending.url);
    await linking.callback({ state: pending.state, code });

    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await read(pending.link_id)).toMatchObject({
      status: "failed",
      error: "project_not_active",
    });
  });
});
