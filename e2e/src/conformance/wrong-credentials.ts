import { randomBytes } from "node:crypto";
import { type anonymous, bearing, type Call, signing } from "./callers.ts";
import type { CredentialClass, WrongCall } from "./operation.ts";
import type { World } from "./world.ts";

/** A call that is the same for everybody, or follows from what the rows before it have left. */
export type CallOf = Call | ((world: World) => Call);

export function callOf(call: CallOf, world: World): Call {
  return typeof call === "function" ? call(world) : call;
}

/** What each class of route must refuse, each with the one 401. */
export function wrongCredentials(
  credential: Exclude<CredentialClass, "public">,
  call: CallOf,
): WrongCall[] {
  const refused = (as: string, callerOf: (world: World) => ReturnType<typeof anonymous>) => ({
    as,
    status: 401,
    call: (world: World) => callerOf(world)(callOf(call, world)),
  });
  const none = refused("no credential", ({ nobody }) => nobody);
  const forged = refused("a token that nobody signed", ({ baseUrl }) =>
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
      refused("a session that names no mode", ({ session }) => session),
      refused("a key that nobody has", ({ baseUrl }) =>
        signing(baseUrl, {
          apiKey: `svc_sk_live_${randomBytes(32).toString("base64url")}`,
          apiSecret: `svc_ss_live_${randomBytes(48).toString("base64url")}`,
        }),
      ),
      refused("a signature that is wrong", ({ baseUrl, livePair }) =>
        signing(baseUrl, { ...livePair, apiSecret: `${livePair.apiSecret}x` }),
      ),
      refused("an API key behind Bearer", ({ baseUrl, livePair }) =>
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
