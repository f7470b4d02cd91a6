import { randomBytes, randomUUID } from "node:crypto";
import { bearerCaller, type Call, signedCaller, type unauthenticatedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { CredentialClass, WrongCall } from "./operation.ts";

/** A call, or a function that builds it from values saved by earlier operations. */
export type CallOf = Call | ((context: ConformanceContext) => Call);

export function callOf(call: CallOf, context: ConformanceContext): Call {
  return typeof call === "function" ? call(context) : call;
}

/** Returns the calls that a route of this credential class must reject with 401. */
export function wrongCredentials(credential: Exclude<CredentialClass, "public" | "vendor">, call: CallOf): WrongCall[] {
  const refused = (
    description: string,
    callerOf: (context: ConformanceContext) => ReturnType<typeof unauthenticatedCaller>,
  ) => ({
    description,
    status: 401,
    call: (context: ConformanceContext) => callerOf(context)(callOf(call, context)),
  });
  const none = refused("no credential", ({ anonymous }) => anonymous);
  const forged = refused("an unsigned token", ({ baseUrl }) => bearerCaller(baseUrl, forgedToken()));
  if (credential === "tenant" || credential === "signed") {
    const withMode = refused(
      "a session and a mode",
      ({ session }) =>
        (sent) =>
          session({ ...sent, headers: { "x-svc-mode": "live" } }),
    );
    return [
      ...(credential === "signed" ? [withMode] : []),
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
  }
  const signed = refused("a signed request", ({ live }) => live);
  return credential === "dashboard"
    ? [none, forged, signed]
    : [none, forged, signed, refused("a developer's session", ({ session }) => session)];
}

/** The call with a key that is bound to another agent. `fields` are those of the key, such as its mode and scopes. */
export function boundCall(status: number, call: CallOf, fields: object = {}): WrongCall {
  return {
    description: "a key that is bound to another agent",
    status,
    call: async (context) => {
      const body = { name: "bound", agent_ids: [randomUUID()], ...fields };
      const pair = await context.live({ method: "POST", path: "/developers/me/keys", body });
      const caller = signedCaller(context.baseUrl, {
        apiKey: text(pair, "api_key"),
        apiSecret: text(pair, "api_secret"),
      });
      return caller(callOf(call, context));
    },
  };
}

function forgedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "purser", aud: "purser-dashboard", role: "admin", exp: 4_102_444_800 };
  return `${part({ alg: "none", typ: "at+jwt" })}.${part(claims)}.${part({})}`;
}
