import { randomBytes, randomUUID } from "node:crypto";
import type { CredentialClass } from "./api-document.ts";
import { bearerCaller, type Caller, signedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { CallerOf, WrongCall } from "./operation.ts";

const none = refused("no credential", ({ anonymous }) => anonymous);
const forged = refused("an unsigned token", ({ baseUrl }) => bearerCaller(baseUrl, forgedToken()));
const signed = refused("a signed request", ({ live }) => live);
const ofTenants = [
  none,
  refused("a session without a mode", ({ session }) => session),
  refused("an unknown key", ({ baseUrl }) =>
    signedCaller(baseUrl, {
      apiKey: `svc_sk_live_${randomBytes(32).toString("base64url")}`,
      apiSecret: `svc_ss_live_${randomBytes(48).toString("base64url")}`,
    }),
  ),
  refused("a wrong signature", ({ baseUrl, livePair }) =>
    signedCaller(baseUrl, { ...livePair, apiSecret: `${livePair.apiSecret}x` }),
  ),
  refused("an API key as a Bearer token", ({ baseUrl, livePair }) => bearerCaller(baseUrl, livePair.apiKey)),
];

const WRONG_CREDENTIALS: Readonly<Record<CredentialClass, readonly WrongCall[]>> = {
  public: [],
  vendor: [],
  dashboard: [none, forged, signed],
  admin: [none, forged, signed, refused("a developer's session", ({ session }) => session)],
  tenant: ofTenants,
  signed: [refused("a session and a mode", sessionInLiveMode), ...ofTenants],
};

/** Returns the calls that a route of this credential class must reject with 401. */
export function wrongCredentials(credential: CredentialClass): readonly WrongCall[] {
  return WRONG_CREDENTIALS[credential];
}

function refused(description: string, as: CallerOf): WrongCall {
  return { description, status: 401, as };
}

/** Returns a caller that sends the developer's session in live mode. */
export function sessionInLiveMode({ session }: ConformanceContext): Caller {
  return (call) => session({ ...call, headers: { ...call.headers, "x-svc-mode": "live" } });
}

/** Returns a caller with a new key. `fields` are those of the key, such as its mode and scopes. */
export function withKey(fields: object): CallerOf {
  return async (context) => {
    const pair = await sessionInLiveMode(context)({
      ...{ method: "POST", path: "/developers/me/keys" },
      body: { name: "conformance", ...fields },
    });
    return signedCaller(context.baseUrl, { apiKey: text(pair, "api_key"), apiSecret: text(pair, "api_secret") });
  };
}

/** A call with a key that is bound to another agent. `fields` are those of the key, such as its mode and scopes. */
export function boundToAgent(status: number, fields: object = {}): WrongCall {
  const as = withKey({ agent_ids: [randomUUID()], ...fields });
  return { description: "a key that is bound to another agent", status, as };
}

function forgedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "purser", aud: "purser-dashboard", role: "admin", exp: 4_102_444_800 };
  return `${part({ alg: "none", typ: "at+jwt" })}.${part(claims)}.${part({})}`;
}
