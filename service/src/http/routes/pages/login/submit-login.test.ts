import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { formOf, newBrowser, unescaped } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";

const WRONG = "The email address or the password is wrong.";
const STALE = "This form was sent before, or is older than ten minutes. Send it again.";

describe("POST /login", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);
  const browser = () => newBrowser(harness, { from: accounts.newAddress() });

  const sessionsOf = async (email: string) =>
    (
      await accounts.query(
        "select count(*)::int as count from sessions s join developers d using (tenant_id) where d.email = $1",
        [email],
      )
    )[0].count as number;

  it("303: logs in; the login page shows the developer", async () => {
    const { email } = await accounts.seedAccount();
    const visitor = browser();
    const page = await visitor.open("/login");

    const response = await visitor.submit(page, { email: email.toUpperCase(), password: PASSWORD });

    expect(response).toMatchObject({ status: 303, headers: { location: "/login" } });
    const set = [response.headers["set-cookie"] ?? []].flat();
    expect(set).toEqual([
      expect.stringMatching(/^svc_access=eyJ.*; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(
        /^svc_refresh=.*; Max-Age=2592000; Path=\/api\/v1\/svc\/developers\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const { text } = await visitor.open("/login");
    expect(text).toContain("<h1>You are logged in</h1>");
    expect(text).toContain(email);
  });

  it("401: the same text for a wrong password, an unknown address and a suspended account", async () => {
    const { email } = await accounts.seedAccount();
    const suspended = await accounts.seedAccount();
    await accounts.query("update developers set status = 'suspended' where email = $1", [suspended.email]);
    const visitor = browser();

    for (const [address, password] of [
      [email, "tin whistle under grass"],
      [accounts.newEmail(), PASSWORD],
      [suspended.email, PASSWORD],
      ["not an address", PASSWORD],
    ] as const) {
      const page = await visitor.open("/login");
      const response = await visitor.submit(page, { email: address, password });

      expect(response.status).toBe(401);
      expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(response.text).toContain(`<p role="alert">${WRONG}</p>`);
      expect(response.text).not.toContain(password);
      expect(visitor.cookies.has("svc_access")).toBe(false);
    }
  });

  it("401: escapes the email address in the form", async () => {
    const visitor = browser();
    const email = `"><script>alert(1)</script>`;

    const { text } = await visitor.submit(await visitor.open("/login"), { email, password: "x" });

    expect(text).not.toContain("<script>alert");
    expect(unescaped(/name="email"[^>]*value="([^"]*)"/.exec(text)?.[1] ?? "")).toBe(email);
  });

  it("422: the CSRF token is used, expired, forged, missing or from another browser", async () => {
    const { email } = await accounts.seedAccount();
    const typed = { email, password: PASSWORD };
    const before = await sessionsOf(email);
    const visitor = browser();
    const used = await visitor.open("/login");
    await visitor.submit(used, { ...typed, password: "x" });
    const elsewhere = browser();
    await elsewhere.open("/login");
    const old = await visitor.open("/login");
    const forged = { once: `${formOf(old.text).hidden["once"]?.slice(0, -2)}AA` };

    const responses = [
      await visitor.submit(used, typed),
      await elsewhere.submit(await visitor.open("/login"), typed),
      await browser().submit(await visitor.open("/login"), typed),
      await visitor.submit(await visitor.open("/login"), { ...typed, ...forged }),
      await visitor.submit(await visitor.open("/login"), { ...typed, once: "" }),
    ];
    harness.clock.advanceSeconds(600);
    responses.push(await visitor.submit(old, typed));

    for (const { status, text } of responses) {
      expect(status).toBe(422);
      expect(text).toContain(STALE);
      expect(formOf(text).hidden["once"]).not.toBe("");
    }
    expect(await sessionsOf(email)).toBe(before);
    expect((await visitor.submit(await visitor.open("/login"), typed)).status).toBe(303);
  });

  it("422: only one of ten concurrent posts of one form logs in", async () => {
    const { email } = await accounts.seedAccount();
    const before = await sessionsOf(email);
    const visitor = browser();
    const page = await visitor.open("/login");

    const responses = await Promise.all(
      Array.from({ length: 10 }, () => visitor.submit(page, { email, password: PASSWORD })),
    );

    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await sessionsOf(email)).toBe(before + 1);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the same site", { "sec-fetch-site": "same-site" }],
    ["another origin", { "sec-fetch-site": "", origin: "https://evil.example" }],
    ["the origin null", { "sec-fetch-site": "", origin: "null" }],
  ])("403: the form comes from %s", async (_case, headers) => {
    const { email } = await accounts.seedAccount();
    const before = await sessionsOf(email);
    const visitor = browser();

    const response = await visitor.submit(await visitor.open("/login"), { email, password: PASSWORD }, headers);

    expect(response).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    expect(await sessionsOf(email)).toBe(before);
  });

  it("422: the browser created a CSRF token with a very late expiry", async () => {
    const { email } = await accounts.seedAccount();
    const visitor = browser();
    const { hidden } = formOf((await visitor.open("/login")).text);
    const [, nonce] = hidden["once"]?.split(".") ?? [];
    const ticket = `9999999999.${nonce}`;
    const mac = createHmac("sha256", visitor.cookies.get("svc_browser") ?? "")
      .update(`purser-form-v1\nlog-in\n${ticket}`)
      .digest("base64url");

    const once = `${ticket}.${mac}`;
    const response = await visitor.send("/login", { once, email, password: PASSWORD });

    expect(response.status).toBe(422);
    expect(response.text).toContain(STALE);
  });

  it("422: the email address contains a NUL character", async () => {
    for (const url of ["/login", "/login/forgot"]) {
      const visitor = browser();
      const typed = { email: "ada\u0000@example.com", ...(url === "/login" && { password: "x" }) };
      expect((await visitor.submit(await visitor.open(url), typed)).status).toBe(422);
    }
  });

  it("422: the password is not UTF-8, which would decode to U+FFFD", async () => {
    const { email } = await accounts.seedAccount();
    const visitor = browser();
    const { action, hidden } = formOf((await visitor.open("/login")).text);
    const fields = new URLSearchParams({ ...hidden, email }).toString();

    for (const password of ["%FF%FEtin whistle", "\xfftin whistle", "%ED%A0%80tin whistle"]) {
      const payload = Buffer.from(`${fields}&password=${password}`, "latin1");
      const response = await visitor.sendRaw(action, payload);
      expect(response).toMatchObject({ status: 422, body: { errors: [{ code: "not_utf8" }] } });
    }
  });

  it("422: unknown field", async () => {
    const visitor = browser();
    const response = await visitor.submit(await visitor.open("/login"), {
      email: "a@example.com",
      password: "x",
      next: "https://evil.example",
    });

    expect(response).toMatchObject({ status: 422, body: { errors: [{ pointer: "/body/next" }] } });
  });

  it("200: asks for the second factor; no session before it", async () => {
    const device = await secondFactors.seed();
    const visitor = browser();

    const response = await visitor.submit(await visitor.open("/login"), {
      email: device.email,
      password: PASSWORD,
    });

    expect(response.status).toBe(200);
    expect(response.text).toContain("<h1>Enter your code</h1>");
    expect(visitor.cookies.has("svc_access")).toBe(false);
    const { action, hidden } = formOf(response.text);
    expect(action).toBe("/login/code");
    const done = await secondFactors.finish(hidden["mfa_token"] ?? "", device.code());
    expect(done.status).toBe(200);
  });

  it("422: after five failures a captcha is needed; the page's scripts solve it", async () => {
    const { email } = await accounts.seedAccount();
    const visitor = browser();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await visitor.submit(await visitor.open("/login"), { email, password: "x" });
    }

    const limited = await visitor.submit(await visitor.open("/login"), {
      email,
      password: PASSWORD,
    });
    expect(limited.status).toBe(422);
    expect(limited.text).toContain("Too many failed logins from your network.");
    expect(limited.headers["content-security-policy"]).toMatch(/; script-src 'self'$/);
    const unsolved = await visitor.submit(limited, { email, password: PASSWORD });
    expect(unsolved.status).toBe(422);

    const captcha_token = await solveWithPage(unsolved.text);
    const response = await visitor.submit(unsolved, { email, password: PASSWORD, captcha_token });
    expect(response.status).toBe(303);
    expect((await visitor.open("/login")).text).toContain("You are logged in");
  });

  /** Downloads the page's script with its imports, and runs it with a stub of the page's form. */
  async function solveWithPage(page: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "purser-captcha-"));
    const script = /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? "";
    const fetched = new Set<string>();
    const fetchModule = async (url: string): Promise<void> => {
      if (fetched.has(url)) return;
      fetched.add(url);
      const { status, text, headers } = await harness.send({ method: "GET", url });
      expect([status, headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
      await mkdir(dirname(join(folder, url)), { recursive: true });
      await writeFile(join(folder, url), text);
      for (const [, name = ""] of text.matchAll(/from ['"](\.[^'"]+)['"]/g)) {
        await fetchModule(join(dirname(url), name));
      }
    };
    await fetchModule(script);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');

    const button = { disabled: false };
    const elements = { captcha_token: { value: "" } };
    const challenge = unescaped(/data-challenge="([^"]*)"/.exec(page)?.[1] ?? "");
    const form = { dataset: { challenge }, elements, querySelector: () => button };
    vi.stubGlobal("document", { querySelector: () => form });
    await import(/* @vite-ignore */ pathToFileURL(join(folder, script)).href);
    vi.unstubAllGlobals();
    await rm(folder, { recursive: true });
    expect(button.disabled).toBe(false);
    return elements.captcha_token.value;
  }
});

describe("POST /login with a captcha provider whose challenges the page cannot solve", () => {
  const harness = useHarness({
    replace: () => ({ captcha: { challenge: async () => undefined, verify: async () => false } }),
  });
  const accounts = accountsOf(harness);

  it("422: the page advises to wait or to set a new password, and has no script", async () => {
    const email = accounts.newEmail();
    const visitor = newBrowser(harness);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await visitor.submit(await visitor.open("/login"), { email, password: "x" });
    }

    const { status, text, headers } = await visitor.submit(await visitor.open("/login"), {
      email,
      password: "x",
    });

    expect(status).toBe(422);
    expect(text).toContain("Wait 15 minutes, set a new password");
    expect(text).not.toContain("<script");
    expect(headers["content-security-policy"]).not.toContain("script-src");
  });
});

describe("POST /login from a network with too many failures", () => {
  const harness = useHarness({ settings: { failuresPerMinute: 3 } });
  const accounts = accountsOf(harness);

  it("429: failed logins on the page count like those of the API", async () => {
    const visitor = newBrowser(harness);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const page = await visitor.open("/login");
      const response = await visitor.submit(page, { email: accounts.newEmail(), password: "x" });
      statuses.push(response.status);
    }

    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
