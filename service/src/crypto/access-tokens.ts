import { createPrivateKey, createPublicKey } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { TenantId } from "../foundation/ids.ts";

const ALGORITHM = "EdDSA";
const TYPE = "at+jwt";
const ISSUER = "purser";
const AUDIENCE = "purser-dashboard";

/** How long an access token is good for (contract, section 0, "Cookies"). */
export const ACCESS_TOKEN_SECONDS = 900;

export interface AccessTokenClaims {
  readonly tenantId: TenantId;
  readonly sessionId: string;
}

/** Makes and checks dashboard tokens: JWTs of one type and one algorithm, both fixed here and never read from the token (RFC 8725). */
export interface AccessTokens {
  issue(claims: AccessTokenClaims, now: Date): Promise<string>;
  /** Undefined for whatever is not a token of ours that is good at `now`. */
  verify(token: string, now: Date): Promise<AccessTokenClaims | undefined>;
}

/** @param privateKeyPem an Ed25519 private key as PKCS #8 PEM; not the one that signs statements */
export function createAccessTokens(privateKeyPem: string): AccessTokens {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  return {
    issue: ({ tenantId, sessionId }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(tenantId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(privateKey);
    },
    verify: async (token, now) => {
      const verified = await jwtVerify(token, publicKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        currentDate: now,
        requiredClaims: ["sub", "sid", "exp", "iat", "jti"],
      }).catch(() => undefined);
      const { sub, sid } = verified?.payload ?? {};
      if (typeof sub !== "string" || typeof sid !== "string") return undefined;
      return { tenantId: sub as TenantId, sessionId: sid };
    },
  };
}
