import { describe, expect, it } from "vitest";
import { auditOf, dumpDatabase, eventsOf } from "../../../../../test/project-seeds.ts";
import { CALLBACK, useLinking } from "../../../../../test/vendors/linking.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };

describe("/projects/webhooks/oauth-callback", () => {
  const { harness, supabase, arrange, callback, openForm, seedService, setStatus } = useLinking();

  /** Simulates a browser that sends the callback's cookie to the page that it is redirected to. */
  function newBrowser(cookie = "") {
    return {
      async openCallback(query: Record<string, string>) {
        const answer = await callback(query, { ...BROWSER, cookie });
        cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
        return answer;
      },
      openDonePage: () => harness.send({ method: "GET", url: "/connect/done", headers: { cookie } }),
    };
  }

  it.each(["GET", "POST"] as const)("200: %s links the account", async (method) => {
    const { id, begin, read } = await arrange();
    const link = await begin("supabase", { scopes: ["all"] });
    const code = supabase.consent(link.url);
    harness.clock.advanceSeconds(599);

    const answer = await harness.send({
      method,
      url: `${CALLBACK}?${new URLSearchParams({ state: link.state, code, iss: "x", scope: "y" })}`,
    });

    expect(answer).toMatchObject({
      status: 200,
      body: { link_id: link.link_id, provider: "supabase", status: "linked", error: null },
    });
    expect(await read(link.link_id)).toMatchObject({
      status: "linked",
      linked_at: harness.clock.now().toISOString(),
      account_label: "Ada <ada@example.com>",
      scopes: ["all"],
      url: null,
      state: null,
      next_action: null,
    });
    expect((await auditOf(harness.app, link.link_id)).at(-1)).toMatchObject({
      action: "link.completed",
      facts: { project_id: id, provider: "supabase", account_id: "org-ada" },
      actor: { type: "developer", key_id: null },
    });
    expect(await eventsOf(harness.app, link.link_id)).toMatchObject([
      { type: "link.completed", data: { link_id: link.link_id, status: "linked" } },
    ]);
  });

  it("422: state is unknown, used, expired or replaced, or is the key of a form, with the same response", async () => {
    const { begin } = await arrange();
    const used = await begin("supabase");
    await callback({ state: used.state, code: supabase.consent(used.url) });
    const replaced = await begin("supabase", { force: true });
    const expired = await begin("supabase", { force: true });
    harness.clock.advanceSeconds(600);
    const pendingForm = await begin("neon");
    const calls = supabase.calls.length;

    const states = [
      "unknown",
      "x".repeat(10_000),
      used.state,
      replaced.state,
      expired.state,
      `${expired.state} `,
      new URL(pendingForm.url).searchParams.get("key") ?? "",
    ];
    const answers = [];
    for (const state of states) {
      answers.push(await callback({ state, code: "any" }));
      answers.push(await callback({ state, error: "access_denied" }));
    }

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect((await openForm(pendingForm.url)).status).toBe(200);
    const texts = answers.map(({ body: { request_id, ...rest } }) => JSON.stringify(rest));
    expect([...new Set(texts)]).toEqual([expect.stringContaining('"code":"invalid_state"')]);
    expect(supabase.calls).toHaveLength(calls);
  });

  it("200: one of 1,000 concurrent callbacks with the same state; the others are 422", async () => {
    const { begin, tenant, id } = await arrange();
    const link = await begin("supabase");
    const code = supabase.consent(link.url);
    const calls = supabase.calls.length;

    const answers = await Promise.all(Array.from({ length: 1_000 }, () => callback({ state: link.state, code })));

    const counts = Map.groupBy(answers, ({ status, body }) => `${status} ${body.status}`);
    expect([...counts].map(([answer, { length }]) => [answer, length]).sort()).toEqual([
      ["200 linked", 1],
      ["422 422", 999],
    ]);
    expect(supabase.calls.slice(calls)).toEqual(["exchangeCode", "identify"]);
    const { body } = await tenant.get(`/projects/${id}/links`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(["linked"]);
    expect(await eventsOf(harness.app, link.link_id)).toHaveLength(1);
  }, 60_000);

  it.each([
    ["access_denied", "access_denied"],
    ["temporarily_unavailable", "provider_unavailable"],
    ["server_error", "provider_unavailable"],
    ["invalid_scope", "provider_refused"],
    ["<script>alert(1)</script>", "provider_refused"],
    ["constructor", "provider_refused"],
  ])("200: the error %s fails the link with %s, and is not repeated in responses", async (error, shown) => {
    const { begin, read } = await arrange();
    const link = await begin("supabase");
    const calls = supabase.calls.length;

    const answer = await callback({ state: link.state, error, error_description: `${error}!` });

    expect(answer).toMatchObject({ status: 200, body: { status: "failed", error: shown } });
    expect(answer.text).not.toContain("<script>");
    expect(await read(link.link_id)).toMatchObject({ status: "failed", error: shown, url: null });
    expect(supabase.calls).toHaveLength(calls);
    expect(await eventsOf(harness.app, link.link_id)).toMatchObject([{ type: "link.failed", data: { error: shown } }]);
    const again = await callback({ state: link.state, code: supabase.consent(link.url) });
    expect(again.status).toBe(422);
  });

  it("303: redirects a browser to a page without code and state in its URL, which can be reloaded", async () => {
    const { tenant, begin } = await arrange({ name: "<b>Shop</b>" });
    const link = await begin("supabase");
    const code = supabase.consent(link.url);
    const { openDonePage, openCallback } = newBrowser();

    const answer = await openCallback({ state: link.state, code });

    expect(answer).toMatchObject({ status: 303, text: "", headers: { location: "/connect/done" } });
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    expect(answer.headers["cache-control"]).toBe("no-store");
    for (const { status, text, headers } of [await openDonePage(), await openDonePage()]) {
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(text).toContain("Supabase is linked");
      expect(text).toContain("Ada &lt;ada@example.com&gt;");
      expect(text).toContain("<strong><bdi>&lt;b&gt;Shop&lt;/b&gt;</bdi></strong>");
      expect(text).toContain(`<strong>${tenant.tenantId}@example.com</strong>`);
    }
    harness.clock.advanceSeconds(600);
    expect((await openDonePage()).status).toBe(422);
  });

  it("422: the page shows no link to a browser that has not completed one", async () => {
    const { begin } = await arrange();
    const completed = await begin("supabase");
    const { openDonePage, openCallback } = newBrowser();
    await openCallback({ state: completed.state, code: supabase.consent(completed.url) });
    const pending = await begin("supabase", { force: true });
    const refused = await openCallback({ state: "unknown", code: "any" });

    const pages = [await openDonePage(), await newBrowser().openDonePage()];
    for (const value of ["x".repeat(43), pending.state]) {
      pages.push(await newBrowser(`svc_link=${value}`).openDonePage());
    }

    expect(refused).toMatchObject({ status: 303, headers: { location: "/connect/done" } });
    for (const { status, text } of pages) {
      expect(status).toBe(422);
      expect(text).toContain("This link does not work");
    }
  });

  it("303: the page escapes the provider's error and runs no scripts", async () => {
    const { begin } = await arrange();
    const link = await begin("supabase");
    const { openDonePage, openCallback } = newBrowser();

    await openCallback({
      state: link.state,
      error: `"><img src=x onerror=alert(1)><script>alert(2)</script>`,
    });

    const { text, headers } = await openDonePage();
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).toContain("Supabase was not linked");
    expect(text).not.toMatch(/onerror|<script/);
  });

  it("303: redirects a browser to the link's redirect_uri after success and failure", async () => {
    const { begin } = await arrange();
    const good = await begin("supabase", { redirect_uri: "http://127.0.0.1:99/done?a=b&status=x" });
    const code = supabase.consent(good.url);
    const linked = await callback({ state: good.state, code }, BROWSER);
    const bad = await begin("supabase", { redirect_uri: "http://purser.test/", force: true });
    const failed = await callback({ state: bad.state, error: "access_denied" }, BROWSER);

    expect([linked.status, failed.status]).toEqual([303, 303]);
    expect(linked.headers["location"]).toBe(`http://127.0.0.1:99/done?a=b&status=linked&link_id=${good.link_id}`);
    expect(failed.headers["location"]).toBe(`http://purser.test/?link_id=${bad.link_id}&status=failed`);
  });

  it("200: a code from another user's consent fails the link, because its PKCE challenge differs", async () => {
    const victim = await arrange();
    const attacker = await arrange();
    const victimLink = await victim.begin("supabase");
    const attackerLink = await attacker.begin("supabase");
    const victimCode = supabase.consent(victimLink.url, "ada");
    const attackerCode = supabase.consent(attackerLink.url, "grace");

    const answers = [
      await callback({ state: victimLink.state, code: attackerCode }),
      await callback({ state: attackerLink.state, code: victimCode }),
    ];

    for (const { status, body } of answers) {
      expect({ status, ...body }).toMatchObject({
        status: "failed",
        error: "exchange_failed",
      });
    }
  });

  it.each([
    ["refused", "exchange_failed"],
    ["unauthorized", "exchange_failed"],
    ["unavailable", "provider_unavailable"],
    ["unknown", "provider_unavailable"],
    ["rate_limited", "provider_unavailable"],
  ] as const)("200: the provider's failure %s fails the link with %s", async (failure, error) => {
    const { begin, read } = await arrange();
    const link = await begin("supabase");
    supabase.control.failure = failure;

    const answer = await callback({ state: link.state, code: supabase.consent(link.url) });
    supabase.control.failure = undefined;

    expect(answer.body).toMatchObject({ status: "failed", error });
    expect(await read(link.link_id)).toMatchObject({ status: "failed", error });
  });

  it.each(["deleting", "suspended"] as const)(
    "200: the link fails if the project becomes %s during the call to the provider",
    async (status) => {
      const { tenant, id, begin } = await arrange();
      const link = await begin("supabase");
      supabase.control.during = () => setStatus(tenant, id, status);

      const code = supabase.consent(link.url);
      const answer = await callback({ state: link.state, code });
      supabase.control.during = async () => {};

      expect(answer.body).toMatchObject({ status: "failed", error: "project_not_active" });
    },
  );

  it("422: the project is deleted during the call to the provider", async () => {
    const { tenant, id, begin } = await arrange();
    const link = await begin("supabase");
    supabase.control.during = async () => {
      supabase.control.during = async () => {};
      expect((await tenant.delete(`/projects/${id}`)).status).toBe(200);
    };

    const answer = await callback({ state: link.state, code: supabase.consent(link.url) });

    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_state" } });
    expect((await eventsOf(harness.app, link.link_id)).map(({ type }) => type)).toEqual(["link.revoked"]);
  });

  it("422: the link is replaced during the call to the provider, and remains expired", async () => {
    const { begin, read } = await arrange();
    const link = await begin("supabase");
    let next = link;
    supabase.control.during = async () => {
      supabase.control.during = async () => {};
      next = await begin("supabase");
    };

    const answer = await callback({ state: link.state, code: supabase.consent(link.url) });

    expect(answer.status).toBe(422);
    expect(await read(link.link_id)).toMatchObject({ status: "expired" });
    expect(await read(next.link_id)).toMatchObject({ status: "pending_auth" });
  });

  it("200: a second link to the same account replaces the first and takes over its services", async () => {
    const { tenant, id, read, linkByConsent } = await arrange();
    const { linkId: first } = await linkByConsent("ada");
    const place = { linkId: first, projectId: id, provider: "supabase" } as const;
    const used = await seedService(tenant.tenantId, place);
    const removed = await seedService(tenant.tenantId, { ...place, status: "removed" });

    const { linkId: second, answer } = await linkByConsent("ada", { force: true });

    expect(answer.body.status).toBe("linked");
    expect((await read(first)).status).toBe("revoked");
    const services = await harness.app.db
      .selectFrom("services")
      .select(["serviceId", "linkId"])
      .where("projectId", "=", id)
      .execute();
    expect(Object.fromEntries(services.map(({ serviceId, linkId }) => [serviceId, linkId]))).toEqual({
      [used]: second,
      [removed]: first,
    });
    expect((await eventsOf(harness.app, first)).at(-1)).toMatchObject({ type: "link.revoked" });
  });

  it("200: a link to another account fails if the project has services in the first account", async () => {
    const { tenant, id, read, linkByConsent } = await arrange();
    const { linkId: first } = await linkByConsent("ada");
    const place = { linkId: first, projectId: id, provider: "supabase" } as const;
    await seedService(tenant.tenantId, place);

    const { linkId: second, answer } = await linkByConsent("grace", { force: true });

    expect(answer.body).toMatchObject({ status: "failed", error: "other_account" });
    expect((await read(first)).status).toBe("linked");
    expect((await read(second)).status).toBe("failed");
  });

  it.each([
    ["/query/state", ""],
    ["/query/code", "?state=x"],
    ["/query/code", "?state=x&code="],
    ["/query/state", "?state=x&state=y&code=z"],
    ["/body/x", "?state=x&code=z", { x: 1 }],
  ])("422: invalid %s in %s", async (pointer, query, payload?: object) => {
    const answer = await harness.send({
      method: "POST",
      url: CALLBACK + query,
      ...(payload === undefined ? {} : { payload }),
    });

    expect({ status: answer.status, pointer: answer.body.errors[0].pointer }).toEqual({
      status: 422,
      pointer,
    });
  });

  it("422: neither code nor error is sent, and the state remains unused", async () => {
    const { begin } = await arrange();
    const link = await begin("supabase");

    expect((await callback({ state: link.state })).status).toBe(422);

    const code = supabase.consent(link.url);
    expect((await callback({ state: link.state, code })).body.status).toBe("linked");
  });

  it("405: HEAD does not use the state", async () => {
    const { begin } = await arrange();
    const link = await begin("supabase");
    const query = { state: link.state, code: supabase.consent(link.url) };

    const url = `${CALLBACK}?${new URLSearchParams(query)}`;
    const head = await harness.send({ method: "HEAD", url });

    expect({ status: head.status, allow: head.headers["allow"] }).toEqual({
      status: 405,
      allow: "GET, POST",
    });
    expect((await callback(query)).body.status).toBe("linked");
  });

  it("200: state, code and tokens are not in plaintext in the database and the log", async () => {
    const { begin } = await arrange();
    const link = await begin("supabase");
    const code = supabase.consent(link.url);

    const answer = await callback({ state: link.state, code });

    const dump = await dumpDatabase(harness.database.superuserUrl);
    const log = harness.logLines.join("\n");
    expect(answer.body.status).toBe("linked");
    for (const secret of [link.state, code, "token-ada-"]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
      expect(log).not.toContain(secret);
    }
  });
});
