import { createHash, randomBytes } from "node:crypto";
import { supabaseSimulator } from "@purser/simulators/supabase/supabase-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../../simulators/test/start-test-vendor.ts";
import { TestClock } from "../../../../test/clock.ts";
import { startTamperingProxy as startProxy } from "../../../../test/vendors/misbehaving-vendor.ts";
import type { ProviderOAuth, ProvisionRequest, ServiceProvider } from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { createSupabaseProvider, type SupabaseOptions } from "./supabase-provider.ts";

const APP = { clientId: "6f9619ff-8b86-4011-b42d-00c04fc964ff", clientSecret: "sba_of-the-test" };
const REDIRECT_URI = "https://purser.test/api/v1/svc/oauth/callback?via=supabase";
const READY_AFTER_SECONDS = 3;
const PASSWORD = "p@ss/word:#1%?";

const clock = new TestClock();
let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let supabase: ServiceProvider;
let oauth: ProviderOAuth;

beforeAll(async () => {
  const simulator = supabaseSimulator({
    ...APP,
    redirectUris: [REDIRECT_URI, `${REDIRECT_URI}&other=yes`],
    readyAfterMs: READY_AFTER_SECONDS * 1_000,
  });
  vendor = await startTestVendor(simulator, { now: clock.now });
  supabase = providerAt(vendor.url);
  oauth = oauthOf(supabase);
});
afterAll(() => vendor.close());
afterEach(() => {
  expect(vendor.requests.counts().invalid).toBe(0);
});

function providerAt(apiUrl: string, change: Partial<SupabaseOptions> = {}): ServiceProvider {
  return createSupabaseProvider({ apiUrl, app: APP, clock, pollAfterMs: 250, ...change });
}

function oauthOf({ oauth: found }: ServiceProvider): ProviderOAuth {
  if (found === null) throw new Error("The provider has no OAuth app.");
  return found;
}

let ordered = 0;
function order(change: Partial<ProvisionRequest> = {}): ProvisionRequest {
  ordered += 1;
  return {
    resourceName: `svc-${ordered}`,
    service: "supabase/project",
    plan: "free",
    region: "eu-central-1",
    config: {},
    password: PASSWORD,
    ...change,
  };
}

/** Returns the credentials of an account that is linked with a pasted token. */
async function arrange(account = `test-${randomBytes(4).toString("hex")}`) {
  const accessToken = `sandbox-${account}`;
  const { accountId } = await supabase.identify(accessToken);
  return { accessToken, accountId };
}

async function arrangeProject(change: Partial<ProvisionRequest> = {}) {
  const access = await arrange();
  const ordering = order(change);
  const { resourceId } = await supabase.provision(access, ordering);
  return { access, order: ordering, resourceId };
}

/** Opens the consent page, submits its form, and returns the redirect URL. */
async function submitConsent(url: string, choice: { persona?: string; decision: string }) {
  const page = await (await fetch(url)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  const response = await fetch(new URL(action ?? "", url), {
    method: "POST",
    body: new URLSearchParams({ persona: "ada", ...choice }),
    redirect: "manual",
  });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

/**
 * Submits the consent page as the test user Ada, and returns the redirect URL and the values for exchanging the code.
 */
async function obtainCode() {
  const codeVerifier = randomBytes(32).toString("base64url");
  const url = oauth.authorizationUrl({
    state: "state-of-the-test",
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    redirectUri: REDIRECT_URI,
  });
  const back = await submitConsent(url, { decision: "allow" });
  const code = back.searchParams.get("code") ?? "";
  return { url, back, grant: { code, codeVerifier, redirectUri: REDIRECT_URI } };
}

describe("link with OAuth", () => {
  it("Allow: the tokens give access to the user's organization", async () => {
    const { back, grant } = await obtainCode();
    expect(back.origin + back.pathname).toBe("https://purser.test/api/v1/svc/oauth/callback");
    expect(back.searchParams.get("via")).toBe("supabase");
    expect(back.searchParams.get("state")).toBe("state-of-the-test");

    const tokens = await oauth.exchangeCode(grant);

    expect(tokens.expiresAt).toEqual(new Date(clock.now().getTime() + 3_600_000));
    expect(tokens.refreshToken).toMatch(/^\w{16,}$/);
    const byConsent = await supabase.identify(tokens.accessToken);
    expect(byConsent).toEqual({
      accountId: expect.stringMatching(/^[a-z]{20}$/),
      label: "Ada's organization",
    });
    expect(byConsent).toEqual(await supabase.identify("sandbox-ada"));
    expect(byConsent).not.toEqual(await supabase.identify("sandbox-grace"));
  });

  it("Deny: redirects with an error and no code", async () => {
    const { url } = await obtainCode();

    const back = await submitConsent(url, { decision: "deny" });

    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.get("state")).toBe("state-of-the-test");
    expect(back.searchParams.has("code")).toBe(false);
  });

  it("has no OAuth flow without an OAuth app", () => {
    expect(providerAt(vendor.url, { app: null }).oauth).toBeNull();
  });

  it("refused: a different verifier, after which the code is no longer valid", async () => {
    const { grant } = await obtainCode();
    const wrong = { ...grant, codeVerifier: randomBytes(32).toString("base64url") };

    await expect(oauth.exchangeCode(wrong)).rejects.toMatchObject({ failure: "refused" });
    await expect(oauth.exchangeCode(grant)).rejects.toMatchObject({ failure: "refused" });
  });

  it("refused: a used code", async () => {
    const { grant } = await obtainCode();
    await oauth.exchangeCode(grant);

    await expect(oauth.exchangeCode(grant)).rejects.toMatchObject({ failure: "refused" });
  });

  it("refused: a code older than five minutes", async () => {
    const { grant } = await obtainCode();
    clock.advanceSeconds(301);

    await expect(oauth.exchangeCode(grant)).rejects.toMatchObject({ failure: "refused" });
  });

  it("refused: a code for another redirect URI, even a registered one", async () => {
    const { grant } = await obtainCode();
    const elsewhere = { ...grant, redirectUri: `${REDIRECT_URI}&other=yes` };

    await expect(oauth.exchangeCode(elsewhere)).rejects.toMatchObject({ failure: "refused" });
  });

  it("unauthorized: the client secret is wrong; the code remains valid", async () => {
    const { grant } = await obtainCode();
    const misconfigured = oauthOf(providerAt(vendor.url, { app: { ...APP, clientSecret: "sba_wrong" } }));

    await expect(misconfigured.exchangeCode(grant)).rejects.toMatchObject({
      failure: "unauthorized",
    });
    await expect(oauth.exchangeCode(grant)).resolves.toHaveProperty("accessToken");
  });

  it("errors do not contain the code, the verifier or the client secret", async () => {
    const { grant } = await obtainCode();
    const tampered = await startTamperingProxy(() => ({ message: JSON.stringify({ grant, APP }) }), 400);

    const error = await oauthOf(providerAt(tampered))
      .exchangeCode(grant)
      .catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ failure: "refused", vendorMessage: expect.any(String) });
    const text = JSON.stringify(error);
    for (const secret of [grant.code, grant.codeVerifier, APP.clientSecret]) {
      expect(text).not.toContain(secret);
    }
  });
});

/** Responses to a refresh token that is not valid. */
const INVALID_TOKEN: readonly (readonly [number, unknown])[] = [
  [400, { error: "invalid_grant", error_description: "Token was revoked" }],
  [400, { message: "Invalid Refresh Token: Already Used" }],
  [404, { message: "refresh_token not found" }],
];
/** Responses that say nothing about the refresh token. */
const OTHER_ERRORS: readonly (readonly [number, unknown])[] = [
  [401, { message: "Invalid refresh token" }],
  [401, { error: "invalid_client", error_description: "Client authentication failed" }],
  [400, { error: "invalid_client", message: "Invalid client for this refresh token" }],
  [400, { message: "There are overdue invoices in the organization(s)" }],
  [400, { message: "grant_type: invalid value" }],
  [400, { message: "Invalid redirect uri" }],
  [400, { message: "The app may not use refresh tokens" }],
  [400, { message: "This refresh token belongs to a suspended app" }],
  [403, { message: "Forbidden" }],
  [503, { message: "Refresh token store expired" }],
  [400, "not an object"],
];

describe("refresh", () => {
  it("returns new tokens to one of two simultaneous calls", async () => {
    const { refreshToken } = await oauth.exchangeCode((await obtainCode()).grant);

    const results = await Promise.allSettled([oauth.refresh(refreshToken ?? ""), oauth.refresh(refreshToken ?? "")]);

    const [won, lost] = results.toSorted((one, other) => one.status.localeCompare(other.status));
    expect(won).toMatchObject({ status: "fulfilled" });
    expect(lost).toMatchObject({
      status: "rejected",
      reason: { failure: "refused", vendorCode: "invalid_grant" },
    });
  });

  it.each(INVALID_TOKEN)("invalid_grant: the token endpoint responds %i with %j", async (status, body) => {
    const { refreshToken } = await oauth.exchangeCode((await obtainCode()).grant);
    const tampered = await startTamperingProxy(() => body, status);

    await expect(oauthOf(providerAt(tampered)).refresh(refreshToken ?? "")).rejects.toHaveProperty(
      "vendorCode",
      "invalid_grant",
    );
  });

  it.each(OTHER_ERRORS)("not invalid_grant: the token endpoint responds %i with %j", async (status, body) => {
    const { refreshToken } = await oauth.exchangeCode((await obtainCode()).grant);
    const tampered = await startTamperingProxy(() => body, status);

    const error = await oauthOf(providerAt(tampered))
      .refresh(refreshToken ?? "")
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(VendorError);
    expect(error).not.toHaveProperty("vendorCode", "invalid_grant");
  });

  it("returns new tokens after the access token has expired", async () => {
    const first = await oauth.exchangeCode((await obtainCode()).grant);
    clock.advanceSeconds(3_601);
    await expect(supabase.identify(first.accessToken)).rejects.toMatchObject({
      failure: "unauthorized",
    });

    const second = await oauth.refresh(first.refreshToken ?? "");

    expect(second.refreshToken).not.toBe(first.refreshToken);
    await expect(supabase.identify(second.accessToken)).resolves.toMatchObject({
      label: "Ada's organization",
    });
    await expect(oauth.refresh(second.refreshToken ?? "")).resolves.toHaveProperty("accessToken");
  });
});

describe("revoke", () => {
  it("the access token and the refresh token are no longer valid; a repeated call succeeds", async () => {
    const { accessToken, refreshToken } = await oauth.exchangeCode((await obtainCode()).grant);

    await oauth.revoke?.(refreshToken ?? "");
    await oauth.revoke?.(refreshToken ?? "");

    await expect(supabase.identify(accessToken)).rejects.toMatchObject({ failure: "unauthorized" });
    await expect(oauth.refresh(refreshToken ?? "")).rejects.toHaveProperty("vendorCode", "invalid_grant");
  });

  it("unauthorized: the client secret is wrong; the tokens stay valid", async () => {
    const { refreshToken } = await oauth.exchangeCode((await obtainCode()).grant);
    const app = { ...APP, clientSecret: "sba_wrong" };

    await expect(oauthOf(providerAt(vendor.url, { app })).revoke?.(refreshToken ?? "")).rejects.toMatchObject({
      failure: "unauthorized",
    });

    await expect(oauth.refresh(refreshToken ?? "")).resolves.toHaveProperty("accessToken");
  });

  const revokeAt = async (status: number, body: unknown) => {
    const tampered = await startTamperingProxy(() => body, status);
    await oauthOf(providerAt(tampered)).revoke?.("never-issued");
  };

  it.each(INVALID_TOKEN)("succeeds: the response is %i with %j", async (status, body) => {
    await expect(revokeAt(status, body)).resolves.toBeUndefined();
  });

  it.each([...OTHER_ERRORS, [404, { message: "Not Found" }] as const])(
    "fails: the response is %i with %j",
    async (status, body) => {
      await expect(revokeAt(status, body)).rejects.toBeInstanceOf(VendorError);
    },
  );

  it("errors do not contain the refresh token or the client secret", async () => {
    const message = `The app ${APP.clientSecret} sent never-issued.`;

    const error = await revokeAt(400, { message }).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ failure: "refused", vendorMessage: expect.any(String) });
    for (const secret of ["never-issued", APP.clientSecret]) {
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });
});

describe("link with a pasted token", () => {
  it("refused: the account has no organization", async () => {
    await expect(supabase.identify("sandbox-linus")).rejects.toMatchObject({
      failure: "refused",
      vendorMessage: "The account does not belong to an organization.",
    });
  });
});

describe("project", () => {
  it("is pending until it is ready, and find returns it", async () => {
    const { access, order: ordered, resourceId } = await arrangeProject();
    const pending = { status: "pending", resourceId, pollAfterMs: 250, expectedSeconds: 120 };
    expect(await supabase.inspect(access, resourceId)).toEqual(pending);
    expect(await supabase.find(access, ordered.resourceName)).toEqual(pending);

    clock.advanceSeconds(READY_AFTER_SECONDS);

    expect(await supabase.inspect(access, resourceId)).toEqual({ status: "ready", resourceId });
  });

  it("is created with the requested settings", async () => {
    const { resourceId } = await arrangeProject({
      region: "sa-east-1",
      config: { desired_instance_size: "small" },
    });

    const made = await vendor.context.objects.find("project", resourceId);
    expect(made?.data).toMatchObject({
      region: "sa-east-1",
      instanceSize: "small",
      secret: { databasePassword: PASSWORD },
    });
  });

  it("is created in the token's own organization if none is given", async () => {
    const access = { ...(await arrange()), accountId: null };

    const { resourceId } = await supabase.provision(access, order());

    expect(await supabase.inspect(access, resourceId)).toMatchObject({ status: "pending" });
  });

  it("failed: it cannot start", async () => {
    const { access, resourceId } = await arrangeProject({ resourceName: "svc-init-fail" });
    clock.advanceSeconds(READY_AFTER_SECONDS);

    expect(await supabase.inspect(access, resourceId)).toEqual({
      status: "failed",
      resourceId,
      reason: "The project is INIT_FAILED.",
    });
  });

  it("refused: the organization's project limit is reached", async () => {
    const access = await arrange("full");

    await expect(supabase.provision(access, order())).rejects.toMatchObject({
      failure: "refused",
      vendorMessage: expect.stringContaining("project limit"),
    });
  });

  it("find: returns the older of two projects with the same name", async () => {
    const { access, order: ordered, resourceId } = await arrangeProject();
    clock.advanceSeconds(1);
    const second = await supabase.provision(access, ordered);
    expect(second.resourceId).not.toBe(resourceId);

    expect(await supabase.find(access, ordered.resourceName)).toMatchObject({ resourceId });
  });
});

describe("readEnv", () => {
  it("returns the URL, the keys, and the database URL with the given password", async () => {
    const { access, resourceId } = await arrangeProject();
    clock.advanceSeconds(READY_AFTER_SECONDS);

    const env = await supabase.readEnv(access, { resourceId, config: {}, password: PASSWORD });

    expect(env).toEqual({
      SUPABASE_URL: `https://${resourceId}.supabase.co`,
      SUPABASE_PUBLISHABLE_KEY: expect.stringMatching(/^sb_publishable_[\w-]{32}$/),
      SUPABASE_SECRET_KEY: expect.stringMatching(/^sb_secret_[\w-]{32}$/),
      DATABASE_URL: expect.any(String),
    });
    const database = new URL(env["DATABASE_URL"] ?? "");
    expect(decodeURIComponent(database.password)).toBe(PASSWORD);
    expect(database).toMatchObject({
      protocol: "postgresql:",
      username: `postgres.${resourceId}`,
      host: "aws-0-eu-central-1.pooler.supabase.com:6543",
      pathname: "/postgres",
    });
  });

  it("refused: the project is starting", async () => {
    const { access, resourceId } = await arrangeProject();

    await expect(supabase.readEnv(access, { resourceId, config: {}, password: PASSWORD })).rejects.toMatchObject({
      failure: "refused",
    });
  });

  it("returns the legacy keys if the project has no new keys", async () => {
    const { access, resourceId } = await arrangeProject();
    clock.advanceSeconds(READY_AFTER_SECONDS);
    const legacy = [
      { name: "anon", type: "legacy", api_key: "eyJhbGciOiJIUzI1NiJ9.anon.signature" },
      { name: "service_role", type: "legacy", api_key: "eyJhbGciOiJIUzI1NiJ9.role.signature" },
      { name: "extra", type: "secret", api_key: "sb_secret_cut·····" },
    ];
    const tampered = await startTamperingProxy((body, path) => (path.endsWith("/api-keys") ? legacy : body));

    const env = await providerAt(tampered).readEnv(access, {
      resourceId,
      config: {},
      password: PASSWORD,
    });

    expect(env).toMatchObject({
      SUPABASE_PUBLISHABLE_KEY: legacy[0]?.api_key,
      SUPABASE_SECRET_KEY: legacy[1]?.api_key,
    });
  });
});

describe("response about a different object", () => {
  const OTHER_REF = "abcdefghijklmnopqrst";

  it.each([
    ["name", "svc-another"],
    ["organization_slug", "another"],
    ["region", "us-east-1"],
    ["ref", "../organizations"],
    ["status", 1],
  ])("provision: unknown if %s differs", async (field, value) => {
    const access = await arrange();
    const tampered = await startTamperingProxy((body) => ({ ...Object(body), [field]: value }));

    await expect(providerAt(tampered).provision(access, order())).rejects.toMatchObject({
      failure: "unknown",
      operation: "v1-create-a-project",
    });
  });

  it("inspect: unavailable", async () => {
    const { access, resourceId } = await arrangeProject();
    const tampered = await startTamperingProxy((body) => ({ ...Object(body), ref: OTHER_REF }));

    await expect(providerAt(tampered).inspect(access, resourceId)).rejects.toMatchObject({
      failure: "unavailable",
    });
  });

  it.each([
    ["organization_slug", "another"],
    ["status", "REMOVED"],
  ])("find: undefined if %s is %s", async (field, value) => {
    const { access, order: ordered } = await arrangeProject();
    const tampered = await startTamperingProxy((body) =>
      Array.isArray(body) ? body.map((project) => ({ ...project, [field]: value })) : body,
    );

    expect(await providerAt(tampered).find(access, ordered.resourceName)).toBeUndefined();
  });

  it("deprovision: unknown", async () => {
    const { access, resourceId } = await arrangeProject();
    const tampered = await startTamperingProxy((body) => ({ ...Object(body), ref: OTHER_REF }));

    await expect(providerAt(tampered).deprovision(access, resourceId)).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it.each([
    ["identifier", OTHER_REF],
    ["db_user", `postgres.${OTHER_REF}`],
    ["db_host", "pooler.supabase.com.example.org"],
    ["db_host", "example.org/.supabase.com"],
    ["database_type", "READ_REPLICA"],
  ])("readEnv: unavailable if the pooler's %s is %s", async (field, value) => {
    const { access, resourceId } = await arrangeProject();
    clock.advanceSeconds(READY_AFTER_SECONDS);
    const tampered = await startTamperingProxy((body, path) =>
      path.endsWith("/pooler") && Array.isArray(body) ? [{ ...body[0], [field]: value }] : body,
    );

    await expect(
      providerAt(tampered).readEnv(access, { resourceId, config: {}, password: PASSWORD }),
    ).rejects.toMatchObject({ failure: "unavailable", operation: "v1-get-pooler-config" });
  });

  it("readEnv: unavailable if a key is truncated", async () => {
    const { access, resourceId } = await arrangeProject();
    clock.advanceSeconds(READY_AFTER_SECONDS);
    const cut = { name: "default", type: "secret", api_key: "sb_secret_abcdefgh········" };
    const tampered = await startTamperingProxy((body, path) =>
      path.endsWith("/api-keys") && Array.isArray(body) ? [body[0], cut] : body,
    );

    await expect(
      providerAt(tampered).readEnv(access, { resourceId, config: {}, password: PASSWORD }),
    ).rejects.toMatchObject({ failure: "unavailable", operation: "v1-get-project-api-keys" });
  });
});

/** Starts a proxy to the simulator that changes response bodies. */
function startTamperingProxy(tamper: (body: unknown, path: string) => unknown, status?: number): Promise<string> {
  const pathOf = (at: string) => new URL(at.slice(at.indexOf(" ") + 1), vendor.url).pathname;
  const tamperText = (text: string, at: string) => JSON.stringify(tamper(JSON.parse(text), pathOf(at)));
  return startProxy(vendor.url, tamperText, status);
}
