import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { findPublicKey } from "./api-users.ts";

/**
 * The maximum lifetime of a token. Fireblocks' API reference says "less than iat+30sec", but its support pages (error
 * code -10) and its SDKs use 55 seconds. One second is added, because the SDKs read the clock once for `iat` and again
 * for `exp`, so the difference can be 56 seconds.
 */
const LIFETIME_SECONDS_MAX = 56;

/**
 * Texts whose hash is a valid `bodyHash` for a request without a body. Fireblocks' older SDK hashes two quotation
 * marks, the JSON for an empty string.
 */
const EMPTY_BODIES = ["", '""'];

const Claims = Type.Object(
  {
    uri: Type.String(),
    nonce: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Integer()]),
    iat: Type.Integer(),
    exp: Type.Integer(),
    sub: Type.String(),
    bodyHash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  },
  { additionalProperties: false },
);
type Claims = Static<typeof Claims>;

/**
 * Creates a function that verifies a request's token and returns the API key, or undefined if the token is invalid. A
 * token is valid for one path and one body, and only once.
 */
export function createTokenCheck(): (request: VendorRequest, context: VendorContext) => Promise<string | undefined> {
  const isFirstUse = createNonces();
  return async (request, context) => {
    const apiKey = request.headers["x-api-key"];
    const token = /^Bearer (\S{1,4000})$/.exec(request.headers.authorization ?? "")?.[1];
    if (typeof apiKey !== "string" || token === undefined) return undefined;
    const now = context.now();
    const claims = await readClaims(token, { apiKey, now, context });
    if (claims === undefined || !matchesRequest(claims, request)) return undefined;
    return isFirstUse(`${apiKey} ${claims.nonce}`, now) ? apiKey : undefined;
  };
}

async function readClaims(
  token: string,
  { apiKey, now, context }: { apiKey: string; now: Date; context: VendorContext },
): Promise<Claims | undefined> {
  const key = await findPublicKey(apiKey, context);
  if (key === undefined) return undefined;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["RS256"],
      subject: apiKey,
      currentDate: now,
      // This option also rejects a token with an `iat` in the future.
      maxTokenAge: LIFETIME_SECONDS_MAX,
    });
    return Check(Claims, payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

function matchesRequest({ uri, bodyHash, exp, iat }: Claims, { target, rawBody }: VendorRequest): boolean {
  const bodies = rawBody === "" ? EMPTY_BODIES : [rawBody];
  return (
    uri === target &&
    bodies.some((body) => bodyHash === createHash("sha256").update(body).digest("hex")) &&
    exp - iat <= LIFETIME_SECONDS_MAX
  );
}

/**
 * Returns a function that checks whether a nonce is new. Used nonces are stored in memory. Losing them in a restart is
 * harmless, because tokens expire within a minute.
 */
function createNonces(): (nonce: string, now: Date) => boolean {
  const seenAt = new Map<string, number>();
  return (nonce, now) => {
    for (const [seenNonce, at] of seenAt) {
      if (at < now.getTime() - LIFETIME_SECONDS_MAX * 1_000) seenAt.delete(seenNonce);
    }
    if (seenAt.has(nonce)) return false;
    seenAt.set(nonce, now.getTime());
    return true;
  };
}
