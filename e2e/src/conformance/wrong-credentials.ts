import { randomBytes } from "node:crypto";
import { type anonymous, bearing, type Call, signing } from "./callers.ts";
import type { CredentialClass, WrongCall } from "./operation.ts";
import type { World } from "./world.ts";

/** A call, or a function that makes it from the values of earlier operations. */
export type CallOf = Call | ((world: World) => Call);

export function callOf(call: CallOf, world: World): Call {
  return typeof call === "function" ? call(world) : call;
}

/** Returns the calls that a route of the credential class must refuse with 401. */
export function wrongCredentials(
  credential: Exclude<CredentialClass, "public">,
  call: CallOf,
): WrongCall[] {
  const refused = (description: string, callerOf: (world: World) => ReturnType<typeof anonymous>) => ({
    description,
    status: 401,
    call: (world: World) => callerOf(world)(callOf(call, world)),
  });
  const none = refused("no credential", ({ nobody }) => nobody);
  const forged = refused("an unsigned token", ({ baseUrl }) =>
    bearing(baseUrl, forgedToken()),
  );
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
        signing(baseUrl, {
          apiKey: `svc_sk_live_${randomBytes(32).toString("base64url")}`,
          apiSecret: `svc_ss_live_${randomBytes(48).toString("base64url")}`,
        }),
      ),
      refused("a wrong signature", ({ baseUrl, livePair }) =>
        signing(baseUrl, { ...livePair, apiSecret: `${livePair.apiSecret}x` }),
      ),
      refused("an API key as a Bearer token", ({ baseUrl, livePair }) =>
        bearing(baseUrl, livePair.apiKey),
      ),
    ];
  }
  const signed = refused("a signed request", ({ live }) => live);
  return credential === "dashboard"
    ? [none, forged, signed]
    : [none, forged, signed, refused("a developer's session", ({ session }) => session)];
}

function forgedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "purser", aud: "purser-dashboard", role: "admin", exp: 4_102_444_800 };
  return `${part({ alg: "none", typ: "at+jwt" })}.${part(claims)}.${part({})}`;
}
