import { createPrivateKey, createPublicKey } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { AdminId, TenantId } from "../foundation/ids.ts";

const ALGORITHM = "EdDSA";
const TYPE = "at+jwt";

/**
 * Issuer, audience and lifetime of one kind of access token. A token of one kind is never accepted as another kind,
 * even if both are signed with the same key.
 */
export interface TokenKind<Subject extends string> {
  readonly issuer: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  isSubject(text: string): text is Subject;
}

/** Developers' access tokens for the dashboard (docs/rules/credentials.md). */
export const DASHBOARD_TOKENS: TokenKind<TenantId> = {
  issuer: "purser",
  audience: "purser-dashboard",
  lifetimeSeconds: 900,
  isSubject: (text): text is TenantId => text.startsWith("dev_"),
};

/**
 * Admins' access tokens (docs/rules/credentials.md). They cannot be refreshed: after ten minutes the admin logs in
 * again.
 */
export const ADMIN_TOKENS: TokenKind<AdminId> = {
  issuer: "purser-admin",
  audience: "purser-admin",
  lifetimeSeconds: 600,
  isSubject: (text): text is AdminId => text.startsWith("adm_"),
};

export interface AccessTokenClaims<Subject extends string> {
  readonly subject: Subject;
  readonly sessionId: string;
  /** The hash of the refresh token that was issued in the same answer to a refresh. */
  readonly refreshTokenHash?: string;
}

/** Issues and verifies JWTs. The type and algorithm are fixed and never taken from the token (RFC 8725). */
export interface AccessTokens<Subject extends string> {
  issue(claims: AccessTokenClaims<Subject>, now: Date): Promise<string>;
  /** Returns the claims if the token is valid at `now`, otherwise undefined. */
  verify(token: string, now: Date): Promise<AccessTokenClaims<Subject> | undefined>;
}

/** @param privateKeyPem an Ed25519 private key in PKCS #8 PEM that is used only for this kind of token */
export function createAccessTokens<Subject extends string>(
  privateKeyPem: string,
  { issuer, audience, lifetimeSeconds, isSubject }: TokenKind<Subject>,
): AccessTokens<Subject> {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  return {
    issue: ({ subject, sessionId, refreshTokenHash }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ sid: sessionId, refresh_token_hash: refreshTokenHash })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(privateKey);
    },
    verify: async (token, now) => {
      const verified = await jwtVerify(token, publicKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer,
        audience,
        currentDate: now,
        requiredClaims: ["sub", "sid", "exp", "iat", "jti"],
      }).catch(() => undefined);
      const { sub, sid, refresh_token_hash: hash } = verified?.payload ?? {};
      if (typeof sub !== "string" || typeof sid !== "string" || !isSubject(sub)) return undefined;
      return {
        ...{ subject: sub, sessionId: sid },
        ...(typeof hash === "string" ? { refreshTokenHash: hash } : {}),
      };
    },
  };
}
