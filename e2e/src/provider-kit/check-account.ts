import { createHash, randomBytes } from "node:crypto";
import type { Kit } from "./kit.ts";

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

export async function checkAccount(kit: Kit): Promise<Tokens | undefined> {
  const granted = await kit.check("account request", () => requestCode(kit));
  if (granted === undefined) return undefined;
  const tokens = await kit.check("token", () => exchange(kit, grantOf(granted)));
  await kit.check("code used twice", async (problem) => {
    const { status } = await kit.call("POST", "/oauth/token", { form: grantOf(granted) });
    if (status < 400) problem("A code was exchanged twice.");
  });
  await kit.check("wrong code verifier", async (problem) => {
    const { code } = await requestCode(kit);
    const form = grantOf({ code, verifier: newVerifier() });
    const { status } = await kit.call("POST", "/oauth/token", { form });
    if (status < 400) problem("A code was exchanged with another code verifier: PKCE is not checked.");
  });
  return tokens;
}

interface Granted {
  readonly code: string;
  readonly verifier: string;
}

async function requestCode({ call, options }: Kit): Promise<Granted> {
  const verifier = newVerifier();
  const { status, body } = await call("POST", "/provisioning/account_requests", {
    body: {
      id: `kit-${randomBytes(8).toString("hex")}`,
      email: `kit-${randomBytes(8).toString("hex")}@example.com`,
      client_id: options.clientId,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      scopes: [],
      confirmation_secret: randomBytes(24).toString("base64url"),
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    },
  });
  if (body.type === "oauth" && typeof body.oauth?.code === "string") {
    return { code: body.oauth.code, verifier };
  }
  const url = body.requires_auth?.redirect?.url;
  if (body.type !== "requires_auth" || typeof url !== "string") {
    throw new Error(`The answer (${status}) has neither a code nor the URL of a consent page.`);
  }
  const back = new URL(await options.consent(url));
  const code = back.searchParams.get("code");
  if (code === null) throw new Error("The consent page redirected without a code.");
  return { code, verifier };
}

function newVerifier(): string {
  return randomBytes(32).toString("base64url");
}

function grantOf({ code, verifier }: Granted) {
  return { grant_type: "authorization_code", code, code_verifier: verifier };
}

async function exchange({ call }: Kit, form: Readonly<Record<string, string>>): Promise<Tokens> {
  const { status, body } = await call("POST", "/oauth/token", { form });
  const { access_token: access, refresh_token: refresh, expires_in } = body;
  const isWhole = [access, refresh].every((each) => typeof each === "string" && each !== "");
  if (status === 200 && isWhole && Number.isInteger(expires_in)) return { access, refresh };
  throw new Error(`The answer (${status}) lacks access_token, refresh_token or expires_in.`);
}

/** Returns the tokens to use from now on. */
export async function checkRefresh(kit: Kit, { access, refresh }: Tokens): Promise<Tokens> {
  const tokens = await kit.check("refresh", async (problem) => {
    const fresh = await exchange(kit, { grant_type: "refresh_token", refresh_token: refresh });
    if (fresh.access === access) problem("The refreshed access token is the same one.");
    return fresh;
  });
  return tokens ?? { access, refresh };
}

/** Revokes the refresh token (RFC 7009), if the provider offers that. */
export async function checkRevocation(kit: Kit, { refresh }: Tokens): Promise<void> {
  const revoke = () =>
    kit.call("POST", "/oauth/revoke", {
      form: {
        token: refresh,
        token_type_hint: "refresh_token",
        client_id: kit.options.clientId,
      },
    });
  const first = await revoke().catch(() => undefined);
  if (first === undefined || first.status === 404 || first.status === 405) {
    return kit.skip("revoke", "Not offered.");
  }
  await kit.check("revoke", async (problem) => {
    if (first.status !== 200) problem(`The answer has status ${first.status} instead of 200.`);
    const form = { grant_type: "refresh_token", refresh_token: refresh };
    const { status } = await kit.call("POST", "/oauth/token", { form });
    if (status < 400) problem("The refresh token is valid after it was revoked.");
    const again = await revoke();
    if (again.status !== 200) problem(`A second call got ${again.status} instead of 200.`);
  });
}
