import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { supabaseSimulator } from "./supabase-simulator.ts";

const APP = { clientId: "6f9619ff-8b86-4011-b42d-00c04fc964ff", clientSecret: "sba_of-the-test" };
const REDIRECT_URI = "https://purser.test/callback";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  // Calls are not checked against the OpenAPI description, so the tests cover the simulator's own checks.
  vendor = await startTestVendor(supabaseSimulator({ ...APP, redirectUris: [REDIRECT_URI], readyAfterMs: 60_000 }), {
    contract: null,
  });
});
afterAll(() => vendor.close());

// The code verifier and challenge from RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const CONSENT = {
  client_id: APP.clientId,
  redirect_uri: REDIRECT_URI,
  response_type: "code",
  state: 'state-"><script>alert(1)</script>',
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
};

type Change = Readonly<Record<string, string | undefined>>;

function consentUrl(change: Change = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...CONSENT, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  return `${vendor.url}/v1/oauth/authorize?${query}`;
}

describe("Supabase consent page", () => {
  it("200: the page shows the app, three users and both buttons, and has no script", async () => {
    const response = await fetch(consentUrl());

    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    // With only 'self', browsers would block the redirect to the app.
    expect(policy).toMatch(/form-action 'self' https:\/\/purser\.test$/);
    const page = await response.text();
    expect(page).toContain(APP.clientId);
    for (const persona of ["ada", "grace", "linus"]) {
      expect(page).toContain(`name="persona" value="${persona}"`);
    }
    expect(page).toMatch(/value="allow"[\s\S]*value="deny"/);
    expect(page).not.toContain("<script");
  });

  it.each<[string, Change]>([
    ["a different app", { client_id: "00000000-8b86-4011-b42d-00c04fc964ff" }],
    ["a redirect URI with a registered prefix", { redirect_uri: `${REDIRECT_URI}/x` }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["a different response type", { response_type: "token" }],
    ["a challenge without a method", { code_challenge_method: undefined }],
    ["the plain challenge method", { code_challenge_method: "plain" }],
    ["a challenge that is too short", { code_challenge: "short" }],
    ["a state that is too long", { state: "s".repeat(1_025) }],
  ])("400 without a redirect, for GET and POST: %s", async (_what, change) => {
    const denial = { method: "POST", body: new URLSearchParams({ decision: "deny" }) };
    for (const request of [{}, denial]) {
      const response = await fetch(consentUrl(change), { ...request, redirect: "manual" });

      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(response.headers.has("location")).toBe(false);
    }
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["an unknown persona", { decision: "allow", persona: "mallory" }, {}],
    ["no decision", { persona: "ada" }, {}],
    ["a form from another site", { decision: "allow", persona: "ada" }, { "sec-fetch-site": "cross-site" }],
  ])("400: %s", async (_what, form, headers) => {
    const response = await fetch(consentUrl(), {
      method: "POST",
      headers,
      body: new URLSearchParams(form),
      redirect: "manual",
    });

    expect(response.status).toBe(400);
    expect(await vendor.context.objects.list("authorization_code")).toEqual([]);
  });
});

const PROJECT = {
  name: "svc-1",
  db_pass: "correct horse",
  organization_slug: "tsrqponmlkjihgfedcba",
  region_selection: { type: "specific", code: "us-east-1" },
};

function createProject(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${vendor.url}/v1/projects`, {
    method: "POST",
    headers: {
      authorization: "Bearer sandbox-ada",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

async function read(path: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(vendor.url + path, { headers })).text();
}

async function slugOf(token: string): Promise<string> {
  return /"slug":"([a-z]{20})"/.exec(await read("/v1/organizations", token))?.[1] ?? "none";
}

describe("creating a project", () => {
  it("201: valid request; only the account that created the project can list it", async () => {
    const response = await createProject({
      ...PROJECT,
      organization_slug: await slugOf("sandbox-ada"),
    });

    expect(response.status).toBe(201);
    expect(await read("/v1/projects", "sandbox-ada")).toContain('"name":"svc-1"');
    expect(await read("/v1/projects", "sandbox-grace")).toBe("[]");
    expect(await read("/v1/projects", "sandbox-linus")).toBe("[]");
  });

  it.each<[string, object, string]>([
    ["no password", { db_pass: undefined }, "db_pass"],
    ["a number as the name", { name: 7 }, "name"],
    ["a name with a dot", { name: "svc.1" }, "name"],
    ["an unknown region", { region_selection: { type: "specific", code: "mars" } }, "code"],
    ["an unknown instance size", { desired_instance_size: "huge" }, "desired_instance_size"],
    ["an unknown field", { colour: "blue" }, "colour"],
    ["two regions", { region: "us-east-1" }, "region"],
  ])("400: %s", async (_what, change, field) => {
    const before = await vendor.context.objects.list("project");
    const slug = await slugOf("sandbox-ada");

    const response = await createProject({ ...PROJECT, organization_slug: slug, ...change });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.stringContaining(field) });
    expect(await vendor.context.objects.list("project")).toEqual(before);
  });

  it.each(["", "Bearer sandbox-refused", "Bearer made-up", "Basic sandbox-ada", "sandbox-ada"])(
    "401: authorization '%s'",
    async (authorization) => {
      const response = await createProject(PROJECT, { authorization });

      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ message: "Unauthorized" });
    },
  );

  it("404: another account's organization", async () => {
    const response = await createProject({
      ...PROJECT,
      organization_slug: await slugOf("sandbox-grace"),
    });

    expect(response.status).toBe(404);
  });
});

const REFRESH = { grant_type: "refresh_token", refresh_token: "never-issued" };
const CODE = {
  grant_type: "authorization_code",
  code: "never-issued",
  code_verifier: VERIFIER,
  redirect_uri: REDIRECT_URI,
};

function basic(secret: string): string {
  return `Basic ${Buffer.from(`${APP.clientId}:${secret}`).toString("base64")}`;
}

function requestTokens(form: Record<string, string>, authorization = basic(APP.clientSecret)): Promise<Response> {
  return fetch(`${vendor.url}/v1/oauth/token`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(form),
  });
}

describe("exchanging a code or refresh token", () => {
  it.each<[string, Record<string, string>]>([
    ["a different grant type", { ...REFRESH, grant_type: "password" }],
    ["no code verifier", { ...CODE, code_verifier: "" }],
    ["credentials in the header and in the form", { ...REFRESH, client_secret: APP.clientSecret }],
    ["an unknown refresh token", REFRESH],
    ["an unknown code", CODE],
  ])("400: %s", async (_what, form) => {
    const response = await requestTokens(form);

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it("401: wrong client secret", async () => {
    for (const authorization of ["", basic("wrong"), basic("")]) {
      expect((await requestTokens(REFRESH, authorization)).status).toBe(401);
    }
  });

  it("400: a JSON body", async () => {
    const response = await fetch(`${vendor.url}/v1/oauth/token`, {
      method: "POST",
      headers: { authorization: basic(APP.clientSecret), "content-type": "application/json" },
      body: JSON.stringify(REFRESH),
    });

    expect(response.status).toBe(400);
  });
});

async function obtainCode(persona: string): Promise<string> {
  const consent = await fetch(consentUrl(), {
    method: "POST",
    body: new URLSearchParams({ decision: "allow", persona }),
    redirect: "manual",
  });
  return new URL(consent.headers.get("location") ?? "").searchParams.get("code") ?? "none";
}

async function obtainTokens(persona: string): Promise<Record<string, string>> {
  const code = await obtainCode(persona);
  return Object(await (await requestTokens({ ...CODE, code })).json());
}

function revoke(body: object): Promise<Response> {
  return fetch(`${vendor.url}/v1/oauth/revoke`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe("revoking tokens", () => {
  const credentials = { client_id: APP.clientId, client_secret: APP.clientSecret };
  const refresh = (token: string | undefined) => requestTokens({ ...REFRESH, refresh_token: token ?? "" });
  const readAs = (token: string | undefined) => read("/v1/organizations", token ?? "");

  it("204: all tokens of the account become invalid, also those of an earlier consent", async () => {
    const earlier = await obtainTokens("ada");
    const tokens = await obtainTokens("ada");
    const other = await obtainTokens("grace");

    const response = await revoke({ ...credentials, refresh_token: tokens["refresh_token"] });

    expect([response.status, await response.text()]).toEqual([204, ""]);
    for (const { access_token, refresh_token } of [earlier, tokens]) {
      expect(await readAs(access_token)).toContain("Unauthorized");
      expect((await refresh(refresh_token)).status).toBe(400);
    }
    expect(await readAs(other["access_token"])).toContain("Grace");
    expect((await refresh(other["refresh_token"])).status).toBe(201);
  });

  it("400: the refresh token is unknown, used or already revoked", async () => {
    const { refresh_token: used = "" } = await obtainTokens("ada");
    const { refresh_token: revoked } = Object(await (await refresh(used)).json());
    expect((await revoke({ ...credentials, refresh_token: used })).status).toBe(400);
    expect((await revoke({ ...credentials, refresh_token: revoked })).status).toBe(204);

    for (const refresh_token of [revoked, "never-issued"]) {
      const response = await revoke({ ...credentials, refresh_token });

      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: "The refresh token is invalid or expired" });
    }
  });

  it("401: wrong client credentials; the tokens stay valid", async () => {
    const { refresh_token } = await obtainTokens("ada");

    for (const wrong of [{ client_id: "other" }, { client_secret: "wrong" }]) {
      expect((await revoke({ ...credentials, refresh_token, ...wrong })).status).toBe(401);
    }

    expect((await refresh(refresh_token)).status).toBe(201);
  });

  it.each<[string, object]>([
    ["an unknown field", { token_type_hint: "refresh_token" }],
    ["no refresh token", { refresh_token: undefined }],
  ])("400: %s", async (_what, change) => {
    const { refresh_token } = await obtainTokens("ada");

    expect((await revoke({ ...credentials, refresh_token, ...change })).status).toBe(400);
  });
});

describe("control page", () => {
  it("does not contain tokens, codes, keys or passwords", async () => {
    const code = await obtainCode("grace");

    const response = await requestTokens({ ...CODE, code });
    expect(response.status).toBe(201);
    const tokens = Object.values<unknown>(Object(await response.json())).filter(
      (value) => typeof value === "string" && value !== "Bearer",
    );
    expect(tokens).toHaveLength(2);

    const shown = (await vendor.context.objects.listAll()).map(({ data, ...object }) => ({
      ...object,
      data: { ...data, secret: undefined },
    }));

    const text = JSON.stringify(shown);
    for (const type of ["authorization_code", "access_token", "refresh_token", "project"]) {
      expect(text).toContain(`"type":"${type}"`);
    }
    for (const secret of [code, ...tokens, PROJECT.db_pass]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/sb_(secret|publishable)_|sandbox-/);
  });
});
