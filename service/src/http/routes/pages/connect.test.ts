import { describe, expect, it } from "vitest";
import { auditOf, dumpDatabase, eventsOf } from "../../../../test/project-seeds.ts";
import { oneTimeFieldOf, useLinking } from "../../../../test/vendors/linking.ts";
import type { PasteForm } from "../../../modules/links/paste-form.ts";
import { pasteFormPage } from "./connect.ts";

const JSON_ONLY = { accept: "application/json" };

describe("/connect/{link_id}", () => {
  const { harness, neon, arrange, openForm, sendForm, paste, seedService } = useLinking();

  it("200: the form has no script, cannot be framed and is not cached", async () => {
    const { begin } = await arrange();
    const { url } = await begin("neon");

    const { status, text, headers } = await openForm(url);

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // With `no-referrer`, a browser would send `Origin: null` with the form, which the same-origin check rejects.
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).toContain('<form method="post"');
    expect(text).toContain('name="token"');
    expect(text).toContain("https://neon.test/tokens");
    expect(oneTimeFieldOf(text)).toMatch(/^[\w-]{43}$/);
    expect(text).not.toContain("<script");
  });

  it("200: the form shows a sandbox token instead of the vendor's URL", () => {
    const form = {
      tenantId: "dev_1" as PasteForm["tenantId"],
      projectName: "Shop",
      providerName: "Neon",
      tokenPageUrl: "https://neon.test/tokens",
      sandboxToken: "sandbox-<ada>",
      once: "once",
    };
    const page = pasteFormPage(form, "ada@example.com");
    expect(page).toContain("This is the sandbox");
    expect(page).toContain("<code>sandbox-&lt;ada&gt;</code>");
    expect(page).not.toContain("https://neon.test");
    expect(pasteFormPage({ ...form, sandboxToken: undefined }, "ada@example.com")).not.toContain("sandbox");
  });

  it("200: links the token's account and shows its name", async () => {
    const { id, begin, read } = await arrange();
    const link = await begin("neon");

    const response = await paste(link.url, ' "token-\r\n  ada"\r\n');

    expect(response.status).toBe(200);
    expect(response.text).toContain("Neon is linked");
    expect(response.text).toContain("Ada &lt;ada@example.com&gt;");
    expect(response.headers["content-security-policy"]).toContain("form-action 'none'");
    expect(await read(link.link_id)).toMatchObject({
      status: "linked",
      account_label: "Ada <ada@example.com>",
      url: null,
    });
    expect((await auditOf(harness.app, link.link_id)).at(-1)).toMatchObject({
      action: "link.completed",
      facts: { project_id: id, provider: "neon", flow: "api_token", account_id: "org-ada" },
    });
    expect(await eventsOf(harness.app, link.link_id)).toMatchObject([{ type: "link.completed" }]);
  });

  it("200: the form and the result show the project and its owner", async () => {
    const { tenant, begin } = await arrange({ name: "<b>Shop</b>" });
    const link = await begin("neon");

    const form = await openForm(link.url);
    const refused = await paste(link.url, "token-unknown");
    const done = await paste(link.url, "token-ada");

    for (const { text } of [form, refused, done]) {
      expect(text).toContain("<strong><bdi>&lt;b&gt;Shop&lt;/b&gt;</bdi></strong>");
      expect(text).toContain(`<strong>${tenant.tenantId}@example.com</strong>`);
    }
  });

  it("200: JSON if the Accept header lists it, otherwise a page with a link to redirect_uri", async () => {
    const one = await arrange();
    const link = await one.begin("neon");
    const two = await arrange();
    const returning = await two.begin("neon", { redirect_uri: "http://127.0.0.1:99/?a=b" });

    const program = await paste(link.url, "token-ada", JSON_ONLY);
    const person = await paste(returning.url, "token-ada");

    expect(program).toMatchObject({
      status: 200,
      body: { link_id: link.link_id, provider: "neon", status: "linked", error: null },
    });
    expect(person.text).toContain(`href="http://127.0.0.1:99/?a=b&amp;link_id=${returning.link_id}&amp;status=linked"`);
  });

  it.each([
    ["nul", "abc\ufffd"],
    ["long", "\u{1f600}".repeat(200)],
    ["blank", "org-blank"],
    ["void", "neon"],
  ])("200: sanitizes the account's label: %s", async (account, label) => {
    const { begin, read } = await arrange();
    const link = await begin("neon");

    const response = await paste(link.url, `token-${account}`);

    expect(response.status).toBe(200);
    expect(response.text).toContain(`<strong><bdi>${label}</bdi></strong>`);
    expect(await read(link.link_id)).toMatchObject({ status: "linked", account_label: label });
  });

  it("422: the same page for a wrong, missing, used, expired or foreign key", async () => {
    const one = await arrange();
    const link = await one.begin("neon");
    const other = await arrange();
    const used = await other.begin("neon");
    await paste(used.url, "token-ada");
    const foreign = await other.begin("neon", { force: true });
    const consent = await one.begin("supabase");
    const base = `http://purser.test/connect/${link.link_id}`;
    const keyOf = ({ url }: { url: string }) => new URL(url).searchParams.get("key") ?? "";
    const calls = neon.calls.length;

    const addresses = [
      base,
      `${base}?key=`,
      `${base}?key=wrong`,
      `${base}?key=${keyOf(link)}x`,
      `${base}?key=${keyOf(link)}&key=${keyOf(link)}`,
      `${base}?key=${keyOf(foreign)}`,
      used.url,
      `http://purser.test/connect/${consent.link_id}?key=${consent.state}`,
      `http://purser.test/connect/lnk_1?key=${keyOf(link)}`,
    ];
    const responses = [];
    for (const address of addresses) {
      responses.push(await openForm(address));
      responses.push(await sendForm(address, { once: "x", token: "token-ada" }));
    }
    harness.clock.advanceSeconds(600);
    responses.push(await openForm(link.url));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.text).toContain("This link does not work");
    expect(neon.calls).toHaveLength(calls);
  });

  it("422: the provider rejects the token; the next one is accepted", async () => {
    const { begin, read } = await arrange();
    const link = await begin("neon");

    const refused = await paste(link.url, "token-unknown");
    const again = await sendForm(link.url, {
      once: oneTimeFieldOf(refused.text),
      token: "token-ada",
    });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The provider rejected the token.");
    expect(refused.text).not.toContain("token-unknown");
    expect(again.status).toBe(200);
    expect((await read(link.link_id)).status).toBe("linked");
  });

  it.each(["token-\u00e9", "token\u200b-ada", "token-\u0007ada", '""'])(
    "422: %j cannot be a token, so the provider is not called",
    async (token) => {
      const { begin, read } = await arrange();
      const link = await begin("neon");
      const callsBefore = neon.calls.length;

      expect((await paste(link.url, token)).status).toBe(422);
      expect(neon.calls).toHaveLength(callsBefore);
      expect((await read(link.link_id)).status).not.toBe("linked");
    },
  );

  it("422: the link fails after five rejected tokens", async () => {
    const { begin, read } = await arrange();
    const link = await begin("neon");

    const responses = [];
    for (let index = 0; index < 6; index += 1) responses.push(await paste(link.url, "token-unknown"));

    expect(responses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
    expect(responses[3]?.text).toContain('name="token"');
    expect(responses[4]?.text).toContain("Neon was not linked");
    expect(responses[5]?.text).toContain("This link does not work");
    expect(await read(link.link_id)).toMatchObject({ status: "failed", error: "token_refused" });
    expect(neon.calls.slice(-5)).toEqual(Array.from({ length: 5 }, () => "identify"));
    expect(await eventsOf(harness.app, link.link_id)).toMatchObject([{ type: "link.failed" }]);
  });

  it("422: of 50 concurrent posts of one form only one calls the provider", async () => {
    const { begin } = await arrange();
    const link = await begin("neon");
    const once = oneTimeFieldOf((await openForm(link.url)).text);
    const calls = neon.calls.length;

    const responses = await Promise.all(
      Array.from({ length: 50 }, () => sendForm(link.url, { once, token: "token-ada" })),
    );

    const good = responses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(49);
    expect(neon.calls).toHaveLength(calls + 1);
  });

  it("422: the form's one-time field is missing or used", async () => {
    const { begin, read } = await arrange();
    const link = await begin("neon");
    const once = oneTimeFieldOf((await openForm(link.url)).text);
    await sendForm(link.url, { once, token: "token-unknown" });
    const calls = neon.calls.length;

    const stale = await sendForm(link.url, { once, token: "token-ada" });
    const none = await sendForm(link.url, { token: "token-ada" });
    const empty = await sendForm(link.url, { once: "", token: "token-ada" });

    expect([stale.status, none.status, empty.status]).toEqual([422, 422, 422]);
    expect(stale.text).toContain("has already been sent");
    expect(neon.calls).toHaveLength(calls);
    expect((await read(link.link_id)).status).toBe("pending_auth");
  });

  it("503: the provider cannot be reached; the form can be sent again", async () => {
    const { begin } = await arrange();
    const link = await begin("neon");
    neon.control.failure = "unavailable";

    const down = await paste(link.url, "token-ada");
    neon.control.failure = undefined;
    const up = await sendForm(link.url, { once: oneTimeFieldOf(down.text), token: "token-ada" });

    expect(down.status).toBe(503);
    expect(down.text).toContain("cannot be reached");
    expect(up.status).toBe(200);
  });

  it("422 and 503: a problem instead of a page if the Accept header lists JSON", async () => {
    const { begin } = await arrange();
    const link = await begin("neon");

    const wrong = await sendForm(`${link.url}x`, { once: "x", token: "x" }, JSON_ONLY);
    const refused = await paste(link.url, "token-unknown", JSON_ONLY);
    const stale = await sendForm(link.url, { once: "x", token: "x" }, JSON_ONLY);
    neon.control.failure = "unknown";
    const down = await paste(link.url, "token-ada", JSON_ONLY);
    neon.control.failure = undefined;

    expect(wrong).toMatchObject({ status: 422, body: { code: "invalid_state" } });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "validation_error", errors: [{ pointer: "/body/token", code: "refused" }] },
    });
    expect(stale).toMatchObject({ status: 422, body: { code: "invalid_state" } });
    expect(down).toMatchObject({ status: 503, body: { code: "provider_unavailable" } });
    expect(refused.text).not.toContain("token-unknown");
  });

  it("409: the project has services in another account", async () => {
    const { tenant, id, begin, linkByToken } = await arrange();
    const { linkId } = await linkByToken("mary");
    await seedService(tenant.tenantId, { linkId, projectId: id, provider: "neon" });

    const other = await paste((await begin("neon", { force: true })).url, "token-jean");
    const same = await paste((await begin("neon", { force: true })).url, "token-mary");

    expect(other.status).toBe(409);
    expect(other.text).toContain("a different account");
    expect(same.status).toBe(200);
  });

  it.each([
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "https://evil.test" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, 200],
    [{ origin: "http://purser.test" }, 200],
    [{}, 200],
  ])("a form with headers %j is %i", async (headers, status) => {
    const { begin } = await arrange();
    const link = await begin("neon");

    expect((await paste(link.url, "token-ada", headers)).status).toBe(status);
  });

  it("415 or 422: the body is not a form, or a field is repeated, unknown, empty or too long", async () => {
    const { begin } = await arrange();
    const link = await begin("neon");
    const { pathname, search } = new URL(link.url);
    const once = oneTimeFieldOf((await openForm(link.url)).text);
    const send = (type: string, payload: string) =>
      harness.send({
        method: "POST",
        url: pathname + search,
        headers: { "content-type": type },
        payload,
      });
    const form = "application/x-www-form-urlencoded";

    const responses = [
      await send("application/json", JSON.stringify({ once, token: "token-ada" })),
      await send("multipart/form-data; boundary=x", "--x--"),
      await send(form, `once=${once}&token=token-ada&token=token-ada`),
      await send(form, `once=${once}&token=token-ada&project_id=x`),
      await send(form, `once=${once}&token=`),
      await send(form, `once=${once}&token=${"x".repeat(4_097)}`),
      await send(`${form}; charset=utf-8`, `once=${once}&token=token-ada`),
    ];

    expect(responses.map(({ status }) => status)).toEqual([415, 415, 422, 422, 422, 422, 200]);
  });

  it("200: HEAD; 405: other methods", async () => {
    const { begin } = await arrange();
    const { pathname, search } = new URL((await begin("neon")).url);
    const url = pathname + search;

    const head = await harness.send({ method: "HEAD", url });
    const put = await harness.send({ method: "PUT", url });

    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
    expect({ status: put.status, allow: put.headers["allow"] }).toEqual({
      status: 405,
      allow: "GET, HEAD, POST",
    });
  });

  it("key and token are not in the database, the events or the log", async () => {
    const { begin } = await arrange();
    const link = await begin("neon");
    const key = new URL(link.url).searchParams.get("key") ?? "";

    await paste(link.url, "token-unused-canary");
    await paste(link.url, "token-ada-canary");

    const dump = await dumpDatabase(harness.database.superuserUrl);
    const log = harness.logLines.join("\n");
    for (const secret of [key, "canary"]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
      expect(log).not.toContain(secret);
    }
  });
});
