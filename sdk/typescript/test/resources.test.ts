import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { NotFoundError, type Purser, SignatureVerificationError } from "../src/index.ts";
import { API_KEY, envSignature, type TestResponse, useTestServer } from "./test-server.ts";

describe("routes", () => {
  const test = useTestServer();
  const login = { email: "a@example.com", password: "correct horse battery" };

  it.each<[string, string, (purser: Purser) => PromiseLike<unknown>, (object | undefined)?]>([
    ["GET", "/developers/captcha", ({ developers }) => developers.captcha()],
    [
      "POST",
      "/developers/signup",
      ({ developers }) => developers.signUp({ ...login, captcha_token: "sandbox-pass" }),
      { ...login, captcha_token: "sandbox-pass" },
    ],
    ["GET", "/developers/verify-email?token=a%2Bb", ({ developers }) => developers.verifyEmail("a+b")],
    [
      "POST",
      "/developers/resend-verification",
      ({ developers }) => developers.resendVerification({ email: login.email }),
      { email: login.email },
    ],
    ["POST", "/developers/login", ({ developers }) => developers.logIn(login), login],
    [
      "POST",
      "/developers/token/refresh",
      ({ developers }) => developers.refresh({ refresh_token: "r" }),
      { refresh_token: "r" },
    ],
    [
      "POST",
      "/developers/login/totp",
      ({ developers }) => developers.logInWithSecondFactor({ mfa_token: "m", code: "123456" }),
      { mfa_token: "m", code: "123456" },
    ],
    [
      "POST",
      "/developers/password/forgot",
      ({ developers }) => developers.forgotPassword({ email: login.email }),
      { email: login.email },
    ],
    [
      "POST",
      "/developers/password/reset",
      ({ developers }) => developers.resetPassword({ token: "t", password: login.password }),
      { token: "t", password: login.password },
    ],
    ["GET", "/developers/dashboard/identities", ({ developers }) => developers.identities.list()],
    [
      "DELETE",
      "/developers/dashboard/identities/github",
      ({ developers }) => developers.identities.unlink("github", { password: login.password }),
      { password: login.password },
    ],
    ["POST", "/developers/dashboard/mfa/totp", ({ developers }) => developers.secondFactor.begin(), {}],
    [
      "POST",
      "/developers/dashboard/mfa/totp/confirm",
      ({ developers }) => developers.secondFactor.confirm({ code: "123456" }),
      { code: "123456" },
    ],
    [
      "POST",
      "/developers/dashboard/mfa/totp/disable",
      ({ developers }) => developers.secondFactor.disable({ code: "123456" }),
      { code: "123456" },
    ],
    ["GET", "/developers/dashboard/sessions?limit=5", ({ developers }) => developers.sessions.list({ limit: 5 })],
    ["DELETE", "/developers/dashboard/sessions/ses_1", ({ developers }) => developers.sessions.end("ses_1")],
    [
      "POST",
      "/developers/oauth/device",
      ({ developers }) => developers.devices.begin({ client_name: "cli" }),
      { client_name: "cli" },
    ],
    [
      "POST",
      "/developers/oauth/device/token",
      ({ developers }) => developers.devices.collect("d"),
      { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "d" },
    ],
    [
      "POST",
      "/developers/oauth/device/approve",
      ({ developers }) => developers.devices.decide({ user_code: "BCDF-GHJK" }),
      { user_code: "BCDF-GHJK" },
    ],
    ["POST", "/developers/register", ({ developers }) => developers.register(), {}],
    ["GET", "/developers/dashboard/me", ({ developers }) => developers.getDashboardProfile()],
    [
      "PUT",
      "/developers/dashboard/me",
      ({ developers }) => developers.updateDashboardProfile({ name: null }),
      { name: null },
    ],
    ["GET", "/developers/me", ({ developers }) => developers.me()],
    ["GET", "/developers/me/keys", ({ developers }) => developers.keys.list()],
    ["DELETE", "/developers/me/keys/key_1", ({ developers }) => developers.keys.revoke("key_1")],
    [
      "POST",
      "/developers/me/keys",
      ({ developers }) => developers.keys.issue({ name: "ci", scopes: ["env:read"] }),
      { name: "ci", scopes: ["env:read"] },
    ],
    [
      "POST",
      "/developers/me/keys/key_1/rotate",
      ({ developers }) => developers.keys.rotate("key_1", { reason: "compromised" }),
      { reason: "compromised" },
    ],
    ["POST", "/developers/rotate-key", ({ developers }) => developers.keys.rotateAccountPair()],
    [
      "POST",
      "/developers/me/keys/key_1/test-signature",
      ({ developers }) =>
        developers.keys.testSignature("key_1", {
          method: "GET",
          path: "/api/v1/svc/time",
          timestamp: "1700000000",
        }),
      { method: "GET", path: "/api/v1/svc/time", timestamp: "1700000000" },
    ],
    ["GET", "/developers/me/auth-failures?limit=5", ({ developers }) => developers.keys.authFailures({ limit: 5 })],
    ["GET", "/limits", (purser) => purser.limits()],
    ["POST", "/agents", ({ agents }) => agents.create({ name: "a" }), { name: "a" }],
    ["GET", "/agents?limit=5", ({ agents }) => agents.list({ limit: 5 })],
    ["GET", "/agents/a%2F1", ({ agents }) => agents.get("a/1")],
    ["PATCH", "/agents/1", ({ agents }) => agents.update("1", { name: "b" }), { name: "b" }],
    ["DELETE", "/agents/1", ({ agents }) => agents.delete("1")],
    ["POST", "/agents/1/suspend", ({ agents }) => agents.suspend("1"), {}],
    ["POST", "/agents/1/resume", ({ agents }) => agents.resume("1"), {}],
    ["POST", "/agents/1/revoke", ({ agents }) => agents.revoke("1", { reason: "r" }), { reason: "r" }],
    ["POST", "/agents/1/keys", ({ agents }) => agents.createKey("1", { name: "k" }), { name: "k" }],
    [
      "GET",
      "/agents/1/kya-token?audience=https%3A%2F%2Fa.example",
      ({ agents }) => agents.kyaToken("1", { audience: "https://a.example" }),
    ],
    [
      "POST",
      "/wallets/create",
      ({ wallets }) => wallets.create({ agent_id: "a", network: "base" }),
      { agent_id: "a", network: "base" },
    ],
    ["GET", "/wallets?network=base", ({ wallets }) => wallets.list({ network: "base" })],
    ["GET", "/wallets/agent/1", ({ wallets }) => wallets.listOfAgent("1")],
    ["GET", "/wallets/1", ({ wallets }) => wallets.get("1")],
    ["PATCH", "/wallets/1", ({ wallets }) => wallets.update("1", { name: "b" }), { name: "b" }],
    ["GET", "/wallets/1/balance", ({ wallets }) => wallets.balance("1")],
    ["GET", "/wallets/1/balance?refresh=true", ({ wallets }) => wallets.balance("1", { refresh: true })],
    ["GET", "/wallets/1/activity?limit=5", ({ wallets }) => wallets.activity("1", { limit: 5 })],
    ["POST", "/wallets/1/fund", ({ wallets }) => wallets.fund("1", { amount: "1" }), { amount: "1" }],
    ["GET", "/developers/provider-keys", ({ developers }) => developers.providerKeys.list()],
    [
      "PUT",
      "/developers/provider-keys/helius",
      ({ developers }) => developers.providerKeys.save("helius", { credentials: { api_key: "k" }, verify: "skip" }),
      { credentials: { api_key: "k" }, verify: "skip" },
    ],
    [
      "DELETE",
      "/developers/provider-keys/solana_access",
      ({ developers }) => developers.providerKeys.remove("solana_access"),
    ],
    ["GET", "/developers/provider-keys/audit/verify", ({ developers }) => developers.providerKeys.verifyAudit()],
    ["POST", "/projects", ({ projects }) => projects.create({ name: "a" }), { name: "a" }],
    ["GET", "/projects", ({ projects }) => projects.list()],
    ["GET", "/projects?page=2&per_page=5", ({ projects }) => projects.list({ page: 2, per_page: 5 })],
    ["GET", "/projects/proj_1", ({ projects }) => projects.get("proj_1")],
    [
      "PATCH",
      "/projects/proj_1",
      ({ projects }) => projects.update("proj_1", { monthly_cap: "5.00" }),
      { monthly_cap: "5.00" },
    ],
    ["DELETE", "/projects/proj_1", ({ projects }) => projects.delete("proj_1")],
    ["POST", "/projects/proj_1/delete-preview", ({ projects }) => projects.deletePreview("proj_1")],
    ["GET", "/projects/proj_1/status", ({ projects }) => projects.status("proj_1")],
    ["GET", "/projects/proj_1/charges", ({ projects }) => projects.charges("proj_1")],
    ["GET", "/projects/proj_1/audit", ({ projects }) => projects.audit("proj_1")],
    ["GET", "/projects/catalog", ({ projects }) => projects.catalog()],
    ["GET", "/projects/proj_1/variables", ({ projects }) => projects.variables.list("proj_1")],
    [
      "PUT",
      "/projects/proj_1/variables/NAME",
      ({ projects }) => projects.variables.set("proj_1", "NAME", { value: "v", sensitive: true }),
      { value: "v", sensitive: true },
    ],
    ["DELETE", "/projects/proj_1/variables/NAME", ({ projects }) => projects.variables.delete("proj_1", "NAME")],
    [
      "POST",
      "/projects/proj_1/link",
      ({ projects }) => projects.links.begin("proj_1", { provider: "neon", force: true }),
      { provider: "neon", force: true },
    ],
    ["GET", "/projects/proj_1/links/lnk_1", ({ projects }) => projects.links.get("proj_1", "lnk_1")],
    ["GET", "/projects/proj_1/links?limit=5", ({ projects }) => projects.links.list("proj_1", { limit: 5 })],
    ["DELETE", "/projects/proj_1/links/lnk_1", ({ projects }) => projects.links.revoke("proj_1", "lnk_1")],
    [
      "POST",
      "/projects/proj_1/services",
      ({ projects }) => projects.services.add("proj_1", { service: "neon/postgres" }),
      { service: "neon/postgres" },
    ],
    ["GET", "/projects/proj_1/services", ({ projects }) => projects.services.list("proj_1")],
    ["GET", "/projects/proj_1/services/srv_1", ({ projects }) => projects.services.get("proj_1", "srv_1")],
    [
      "POST",
      "/projects/proj_1/services/srv_1/rotate",
      ({ projects }) => projects.services.rotate("proj_1", "srv_1", { reason: "compromised" }),
      { reason: "compromised" },
    ],
    [
      "POST",
      "/projects/proj_1/services/srv_1/upgrade",
      ({ projects }) => projects.services.upgrade("proj_1", "srv_1", { plan: "launch" }),
      { plan: "launch" },
    ],
    [
      "POST",
      "/projects/proj_1/services/srv_1/deep-link",
      ({ projects }) => projects.services.deepLink("proj_1", "srv_1"),
    ],
    ["DELETE", "/projects/proj_1/services/srv_1", ({ projects }) => projects.services.remove("proj_1", "srv_1")],
    ["GET", "/projects/proj_1/operations/op_1", ({ projects }) => projects.operations.get("proj_1", "op_1")],
    [
      "POST",
      "/projects/proj_1/billing/payment-methods",
      ({ projects }) => projects.billing.attachPaymentMethod("proj_1", { payment_method_id: "pm_1" }),
      { payment_method_id: "pm_1" },
    ],
    ["GET", "/approvals?status=pending&limit=5", ({ approvals }) => approvals.list({ status: "pending", limit: 5 })],
    ["GET", "/approvals/apr_1", ({ approvals }) => approvals.get("apr_1")],
    ["GET", "/approvals/apr_1?wait_seconds=30", ({ approvals }) => approvals.get("apr_1", { waitSeconds: 30 })],
    ["POST", "/approvals/apr_1/approve", ({ approvals }) => approvals.approve("apr_1"), {}],
    [
      "POST",
      "/approvals/apr_1/deny",
      ({ approvals }) => approvals.deny("apr_1", { note: "too expensive" }),
      { note: "too expensive" },
    ],
    ["GET", "/wallets/wal_1", ({ wallets }) => wallets.get("wal_1")],
    [
      "POST",
      "/wallets/wal_1/freeze",
      ({ wallets }) => wallets.freeze("wal_1", { reason: "anomaly" }),
      { reason: "anomaly" },
    ],
    [
      "POST",
      "/wallets/wal_1/freeze-on-chain",
      ({ wallets }) => wallets.freezeOnChain("wal_1", { reason: "anomaly", scope: "agent" }),
      { reason: "anomaly", scope: "agent" },
    ],
    ["POST", "/wallets/wal_1/unfreeze", ({ wallets }) => wallets.unfreeze("wal_1"), {}],
    [
      "POST",
      "/payments/send",
      ({ payments }) => payments.send({ agent_id: "a", amount: "5.00", to: "0x1" }),
      { agent_id: "a", amount: "5.00", to: "0x1" },
    ],
    [
      "POST",
      "/payments/simulate",
      ({ payments }) => payments.simulate({ agent_id: "a", amount: "5.00", to: "0x1" }),
      { agent_id: "a", amount: "5.00", to: "0x1" },
    ],
    ["GET", "/payments?status=authorized&limit=5", ({ payments }) => payments.list({ status: "authorized", limit: 5 })],
    ["POST", "/fiat/link-account", ({ fiat }) => fiat.linkAccount(), {}],
    [
      "POST",
      "/fiat/verify-account",
      ({ fiat }) => fiat.verifyAccount({ public_token: "public", account_id: "one" }),
      { public_token: "public", account_id: "one" },
    ],
    ["GET", "/fiat/accounts", ({ fiat }) => fiat.accounts.list()],
    ["GET", "/fiat/accounts/ba_1", ({ fiat }) => fiat.accounts.get("ba_1")],
    ["DELETE", "/fiat/accounts/ba_1", ({ fiat }) => fiat.accounts.remove("ba_1")],
    ["GET", "/fiat/rate", ({ fiat }) => fiat.rate()],
    ["GET", "/fiat/rate?source=eur&dest=usdc", ({ fiat }) => fiat.rate({ source: "eur", dest: "usdc" })],
    [
      "POST",
      "/fiat/on-ramp",
      ({ fiat }) => fiat.onRamp({ source_account_id: "ba_1", wallet_id: "wal_1", amount: "100.00" }),
      { source_account_id: "ba_1", wallet_id: "wal_1", amount: "100.00" },
    ],
    [
      "POST",
      "/fiat/off-ramp",
      ({ fiat }) => fiat.offRamp({ wallet_id: "wal_1", destination_account_id: "ba_1", amount: "40.00" }),
      { wallet_id: "wal_1", destination_account_id: "ba_1", amount: "40.00" },
    ],
    [
      "GET",
      "/fiat/conversions?direction=on_ramp&limit=5",
      ({ fiat }) => fiat.conversions.list({ direction: "on_ramp", limit: 5 }),
    ],
    ["GET", "/fiat/conversions/conv_1", ({ fiat }) => fiat.conversions.get("conv_1")],
    ["POST", "/fiat/conversions/conv_1/execute", ({ fiat }) => fiat.conversions.execute("conv_1")],
    ["POST", "/fiat/conversions/conv_1/cancel", ({ fiat }) => fiat.conversions.cancel("conv_1")],
    ["GET", "/payments/pay_1", ({ payments }) => payments.get("pay_1")],
    [
      "POST",
      "/kill-switch",
      ({ killSwitch }) => killSwitch.trigger({ scope: "agent", id: "1", reason: "stolen" }),
      { scope: "agent", id: "1", reason: "stolen" },
    ],
    ["GET", "/kill-switch?limit=5", ({ killSwitch }) => killSwitch.list({ limit: 5 })],
    ["GET", "/kill-switch/kill_1", ({ killSwitch }) => killSwitch.get("kill_1")],
    ["POST", "/kill-switch/kill_1/reconcile", ({ killSwitch }) => killSwitch.reconcile("kill_1")],
    [
      "POST",
      "/payments/pay_1/capture",
      ({ payments }) => payments.capture("pay_1", { amount: "4.50" }, { agentId: "a" }),
      { amount: "4.50" },
    ],
    ["POST", "/payments/pay_1/void", ({ payments }) => payments.void("pay_1", { agentId: "a" }), {}],
    [
      "POST",
      "/payments/pay_1/refund",
      ({ payments }) => payments.refund("pay_1", { reason: "late" }, { agentId: "a" }),
      { reason: "late" },
    ],
    ["POST", "/payments/pay_1/cancel", ({ payments }) => payments.cancel("pay_1")],
    ["GET", "/audit/verify", ({ audit }) => audit.verify()],
    ["GET", "/audit/verify?chain=provider_keys", ({ audit }) => audit.verify({ chain: "provider_keys" })],
    ["GET", "/audit/entries", ({ audit }) => audit.entries()],
    [
      "GET",
      "/audit/entries?chain=provider_keys&action=provider_key.saved&subject_id=turnkey&limit=5",
      ({ audit }) =>
        audit.entries({
          chain: "provider_keys",
          action: "provider_key.saved",
          subject_id: "turnkey",
          limit: 5,
        }),
    ],
    [
      "POST",
      "/policies",
      ({ policies }) => policies.create({ name: "buyer", rules: [] }),
      { name: "buyer", rules: [] },
    ],
    ["GET", "/policies?limit=5", ({ policies }) => policies.list({ limit: 5 })],
    ["GET", "/policies/pol_1", ({ policies }) => policies.get("pol_1")],
    [
      "PATCH",
      "/policies/pol_1",
      ({ policies }) => policies.update("pol_1", { name: "seller", version: 2 }),
      { name: "seller", version: 2 },
    ],
    ["DELETE", "/policies/pol_1", ({ policies }) => policies.delete("pol_1")],
    ["POST", "/policies/pol_1/rollback", ({ policies }) => policies.rollback("pol_1", { version: 1 }), { version: 1 }],
    [
      "POST",
      "/policies/evaluate",
      ({ policies }) => policies.evaluate({ operation: "payment", policy_id: "pol_1" }),
      { operation: "payment", policy_id: "pol_1" },
    ],
    [
      "POST",
      "/policies/pol_1/backtest",
      ({ policies }) => policies.backtest("pol_1", { agent_id: "agent", rules: [] }),
      { agent_id: "agent", rules: [] },
    ],
    ["GET", "/audit/checkpoints?limit=2", ({ audit }) => audit.checkpoints({ limit: 2 })],
  ])("%s %s", async (method, path, call, body) => {
    test.server.script({ body: { object: "list", data: [], has_more: false } });

    await call(test.signedClient({ accessToken: "a.b.c" }));

    const [received] = test.server.received;
    expect(received).toMatchObject({ method, path: `/api/v1/svc${path}` });
    expect(received?.body).toBe(body === undefined ? "" : JSON.stringify(body));
  });

  it("POST /developers/logout returns undefined", async () => {
    test.server.script({ status: 204 });

    expect(await test.client().developers.logOut({ refresh_token: "r" })).toBeUndefined();

    expect(test.server.received).toMatchObject([{ path: "/api/v1/svc/developers/logout" }]);
  });
});

describe("lists", () => {
  const test = useTestServer();

  const page = (ids: readonly string[], more: object): TestResponse => ({
    body: { object: "list", data: ids.map((project_id) => ({ project_id })), per_page: 2, ...more },
  });
  const threePages = [
    page(["a", "b"], { page: 1, has_more: true, next_cursor: "c1" }),
    page(["c", "d"], { has_more: true, next_cursor: "c2" }),
    page(["e"], { has_more: false, next_cursor: null }),
  ];

  it("can be iterated over all pages", async () => {
    test.server.script(...threePages);

    const ids: string[] = [];
    for await (const project of test.signedClient().projects.list({ page: 1, per_page: 2 })) {
      ids.push(project.project_id);
    }

    expect(ids).toEqual(["a", "b", "c", "d", "e"]);
    expect(test.server.received.map(({ path }) => path)).toEqual([
      "/api/v1/svc/projects?page=1&per_page=2",
      "/api/v1/svc/projects?per_page=2&cursor=c1",
      "/api/v1/svc/projects?per_page=2&cursor=c2",
    ]);
  });

  it("can be read page by page", async () => {
    test.server.script(...threePages);

    const first = await test.signedClient().projects.list();
    const second = await first.getNextPage();
    const third = await second?.getNextPage();

    expect(first.data).toHaveLength(2);
    expect(second?.data).toMatchObject([{ project_id: "c" }, { project_id: "d" }]);
    expect(third?.hasNextPage()).toBe(false);
    expect(await third?.getNextPage()).toBeUndefined();
  });

  it("are read up to a limit without requesting more pages", async () => {
    test.server.script(...threePages);
    const list = test.signedClient().projects.list();

    expect(await list.autoPagingToArray({ limit: 3 })).toMatchObject([
      { project_id: "a" },
      { project_id: "b" },
      { project_id: "c" },
    ]);
    expect(test.server.received).toHaveLength(2);
  });

  it("continue with next_cursor if the route returns one", async () => {
    test.server.script(
      {
        body: {
          object: "list",
          catalog_version: "v",
          data: [{ provider: "neon" }],
          next_cursor: "c1",
        },
      },
      {
        body: {
          object: "list",
          catalog_version: "v",
          data: [{ provider: "stripe" }],
          next_cursor: null,
        },
      },
    );

    const providers = await test.signedClient().projects.catalog({ q: "db" }).autoPagingToArray({ limit: 100 });

    expect(providers.map(({ provider }) => provider)).toEqual(["neon", "stripe"]);
    expect(test.server.received[1]?.path).toBe("/api/v1/svc/projects/catalog?q=db&cursor=c1");
  });

  it("throw the error of a later page", async () => {
    test.server.script(page(["a"], { next_cursor: "c1", has_more: true }), { status: 404 });

    const all = test.signedClient().projects.list().autoPagingToArray({ limit: 9 });

    await expect(all).rejects.toThrow(NotFoundError);
  });
});

describe("projects.env.pull", () => {
  const test = useTestServer();

  function bundle(changes: object = {}): TestResponse {
    const env = { DATABASE_URL: "postgres://é", A: "1" };
    const canonical = '{"A":"1","DATABASE_URL":"postgres://é"}';
    const fingerprint = createHash("sha256").update(canonical).digest("hex");
    const facts = { object: "env_bundle", project_id: "proj_1", environment: "production" };
    const bytes = Buffer.from(JSON.stringify({ ...facts, env, fingerprint, ...changes }));
    return { bytes, headers: { "x-svc-signature": envSignature(bytes), etag: '"e1"' } };
  }

  it("returns the values of a bundle signed with the client's key", async () => {
    test.server.script(bundle());

    const { data, headers } = await test
      .signedClient()
      .projects.env.pull("proj_1", { environment: "production", keys: ["A", "DATABASE_URL"] })
      .withResponse();

    expect(data.env).toEqual({ A: "1", DATABASE_URL: "postgres://é" });
    expect(headers.get("etag")).toBe('"e1"');
    expect(test.server.received).toMatchObject([
      {
        path: "/api/v1/svc/projects/proj_1/env?environment=production&format=json&keys=A%2CDATABASE_URL",
        isSigned: true,
      },
    ]);
  });

  it.each<[string, TestResponse]>([
    ["is not signed", { ...bundle(), headers: {} }],
    ["was changed after signing", { ...bundle({ version: 9 }), headers: bundle().headers ?? {} }],
    ["has a different fingerprint", bundle({ fingerprint: "0".repeat(64) })],
    ["is for a different project", bundle({ project_id: "proj_2" })],
    ["is for a different environment", bundle({ environment: "development" })],
    ["is signed with a different key", signedWith(bundle(), `${API_KEY.slice(0, -1)}x`)],
  ])("rejects a bundle that %s", async (_name, response) => {
    test.server.script(response);

    const pull = test.signedClient().projects.env.pull("proj_1", { environment: "production" });

    await expect(pull).rejects.toThrow(SignatureVerificationError);
  });

  it.each(["dotenv", "docker"] as const)(
    "returns the text of a signed %s file and rejects an unsigned one",
    async (format) => {
      const bytes = Buffer.from("A='1'\n");
      const headers = { "content-type": "text/plain", "x-svc-signature": envSignature(bytes) };
      test.server.script({ bytes, headers }, { bytes, headers: { "content-type": "text/plain" } });
      const { env } = test.signedClient().projects;

      const text: string = await env.pull("proj_1", { format });
      const unsigned = env.pull("proj_1", { format });

      expect(text).toBe("A='1'\n");
      await expect(unsigned).rejects.toThrow(SignatureVerificationError);
      expect(test.server.received[0]?.path).toContain(`format=${format}`);
    },
  );

  it("returns names without values", async () => {
    test.server.script(bundle({ env: null }));

    const names = await test.signedClient().projects.env.pull("proj_1", { namesOnly: true });

    expect(names.env).toBeNull();
    expect(test.server.received[0]?.path).toContain("names_only=true");
  });

  it("returns undefined for a 304 if the call had ifNoneMatch, otherwise throws", async () => {
    test.server.script({ status: 304 }, { status: 304 });
    const { env } = test.signedClient().projects;

    const unchanged = await env.pull("proj_1", { ifNoneMatch: '"e1"' });
    const unconditional = env.pull("proj_1");

    expect(unchanged).toBeUndefined();
    expect(test.server.received[0]?.headers["if-none-match"]).toBe('"e1"');
    await expect(unconditional).rejects.toMatchObject({ status: 304 });
  });
});

function signedWith(response: TestResponse, apiKey: string): TestResponse {
  const bytes = response.bytes ?? Buffer.alloc(0);
  return { bytes, headers: { "x-svc-signature": envSignature(bytes, apiKey) } };
}
