import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { plaidSimulator } from "./plaid-simulator.ts";

const CREDENTIALS = { clientId: "client", secrets: { live: "secret-live", test: "secret-test" } };
const HEADERS = { "plaid-client-id": "client", "plaid-secret": "secret-test" };
const LINK = {
  ...{ client_name: "Purser", language: "en", country_codes: ["US"], user: { client_user_id: "ten_1" } },
  ...{ products: ["auth"], webhook: "https://purser.example", auth: { automated_microdeposits_enabled: true } },
};

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;

describe("Plaid simulator", () => {
  const sent: Record<string, unknown>[] = [];
  const simulator = plaidSimulator({
    credentials: CREDENTIALS,
    sendWebhook: async ({ body }) => void sent.push(JSON.parse(body)),
  });
  let nowMs = Date.parse("2026-11-24T10:00:00Z");
  let vendor: TestVendor;
  /** A simulator without Plaid's OpenAPI description, which is not available on every machine. */
  let withoutContract: TestVendor;
  beforeAll(async () => {
    vendor = await startTestVendor(simulator, { now: () => new Date(nowMs) });
    withoutContract = await startTestVendor(simulator, { contract: null });
  });
  afterAll(async () => {
    await vendor.close();
    await withoutContract.close();
  });
  beforeEach(() => {
    sent.length = 0;
  });

  async function post(path: string, body: object, headers: Readonly<Record<string, string>> = HEADERS, to = vendor) {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(`${to.url}${path}`, { ...init, body: JSON.stringify(body) });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  async function page(token: string, form?: Readonly<Record<string, string>>) {
    const init = form && { method: "POST", body: new URLSearchParams(form) };
    const response = await fetch(`${vendor.url}/link?token=${token}`, init);
    return { status: response.status, text: await response.text() };
  }

  const newLink = async (changes: object = {}) => {
    const { body } = await post("/link/token/create", { ...LINK, ...changes });
    return String(body.link_token);
  };

  it.each([
    {},
    { ...HEADERS, "plaid-client-id": "other" },
    { ...HEADERS, "plaid-secret": "other" },
    { ...HEADERS, "plaid-version": "2019-05-29" },
  ])("400 INVALID_API_KEYS: headers %j", async (headers) => {
    const answer = { status: 400, body: { error_type: "INVALID_INPUT", error_code: "INVALID_API_KEYS" } };
    expect(await post("/link/token/create", LINK, headers)).toMatchObject(answer);
  });

  it.each([
    [{ ...LINK, colour: "red" }, "UNKNOWN_FIELDS"],
    [{ ...LINK, language: undefined }, "MISSING_FIELDS"],
    [{ ...LINK, language: "english" }, "INVALID_FIELD"],
    [{ ...LINK, redirect_uri: "http://app.example" }, "INVALID_FIELD"],
    [{ ...LINK, products: undefined }, "INVALID_FIELD"],
    [{ ...LINK, access_token: "access-sandbox-1" }, "INVALID_FIELD"],
  ])("400: the link token %j is refused with %s", async (link, error_code) => {
    for (const to of [vendor, withoutContract]) {
      const answer = await post("/link/token/create", link, HEADERS, to);
      expect(answer).toMatchObject({ status: 400, body: { error_code } });
    }
  });

  it("the page offers what the link token allows, and can be submitted once", async () => {
    const [instant, both] = [await newLink({ auth: undefined }), await newLink()];
    expect((await page(instant)).text).not.toContain("micro_deposits");
    expect((await page(instant, { user: "micro_deposits" })).status).toBe(400);
    expect((await page(both)).text).toContain("micro_deposits");

    const done = await page(instant, { user: "good" });

    expect(done).toMatchObject({ status: 200, text: expect.stringMatching(/public-sandbox-.*Plaid checking/s) });
    expect((await page(instant, { user: "good" })).status).toBe(404);
  });

  it("the page is in a frame of an app on this machine, hands it the public token by a script, and is in no other frame", async () => {
    const visit = async (parent: string, init: RequestInit = {}) => {
      const response = await fetch(
        `${vendor.url}/link?${new URLSearchParams({ token: await newLink(), parent })}`,
        init,
      );
      return { policy: response.headers.get("content-security-policy") ?? "", text: await response.text() };
    };
    const app = "http://127.0.0.1:8080";
    const submitted = { method: "POST", body: new URLSearchParams({ user: "good" }) };

    const [shown, done] = [await visit(app), await visit(app, submitted)];

    expect([shown.policy, done.policy]).toEqual([
      expect.stringContaining(`frame-ancestors ${app};`),
      expect.stringContaining(`frame-ancestors ${app};`),
    ]);
    expect(shown.text).toContain("data-exit");
    const success = /data-success="([^"]+)"/.exec(done.text)?.[1]?.replaceAll("&quot;", '"') ?? "";
    expect(JSON.parse(success)).toMatchObject({
      public_token: expect.stringMatching(/^public-sandbox-/),
      accounts: [{ name: "Plaid checking" }, {}],
    });
    for (const elsewhere of ["https://purser.example", "http://127.0.0.1.example", `${app}; script-src *`, "null"]) {
      const { policy, text } = await visit(elsewhere, submitted);
      expect([policy.includes("frame-ancestors 'none'"), text.includes("<script")]).toEqual([true, false]);
    }
  });

  it("the page of an unknown or expired link token is 404, and a mode knows only its own", async () => {
    const token = await newLink();
    expect((await page("link-sandbox-none")).status).toBe(404);
    const live = { ...HEADERS, "plaid-secret": "secret-live" };
    const unknown = { body: { error_code: "INVALID_LINK_TOKEN" } };
    expect(await post("/link/token/get", { link_token: token }, live)).toMatchObject(unknown);

    nowMs += 4 * 3_600_000;

    expect((await page(token)).status).toBe(404);
  });

  it("sends a webhook when micro-deposits have settled, and when a login expires or is repaired", async () => {
    const token = await newLink();
    await page(token, { user: "micro_deposits" });
    const { body } = await post("/link/token/get", { link_token: token });
    const { public_token } = body.link_sessions[0].results.item_add_results[0];
    const item = (await post("/item/public_token/exchange", { public_token })).body;
    const { access_token } = item;
    expect(await post("/auth/get", { access_token })).toMatchObject({ body: { error_code: "PRODUCT_NOT_READY" } });

    nowMs += 2_000;

    expect(await post("/auth/get", { access_token })).toMatchObject({ status: 200 });
    await post("/sandbox/item/reset_login", { access_token });
    const repairing = await post("/link/token/create", { ...LINK, products: undefined, access_token });
    await page(String(repairing.body.link_token), { user: "repair" });
    expect(sent.map(({ webhook_type: type, webhook_code: code, item_id: id }) => [type, code, id])).toEqual([
      ["AUTH", "AUTOMATICALLY_VERIFIED", item.item_id],
      ["ITEM", "ERROR", item.item_id],
      ["ITEM", "LOGIN_REPAIRED", item.item_id],
    ]);
  });

  it("the event of a review clears a screening that waits for one", async () => {
    const search_terms = { watchlist_program_id: "prg_sandbox", legal_name: "Ada Hit Listed" };
    const { body } = await post("/watchlist_screening/individual/create", { search_terms });

    await simulator.webhooks?.fire({ type: "SCREENING.STATUS_UPDATED" }, vendor.context);

    expect(sent).toMatchObject([{ webhook_type: "SCREENING", screening_id: body.id, environment: "sandbox" }]);
    const read = await post("/watchlist_screening/individual/get", { watchlist_screening_id: body.id });
    expect(read).toMatchObject({ body: { status: "cleared" } });
  });
});
