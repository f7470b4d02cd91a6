import { decodeJwt, type JWTPayload } from "jose";
import type { ExternalTokenIssuers, VerifiedToken } from "../../ports/external-token-issuers.ts";
import { createJwksVerifier, invalidToken, type JwksOptions } from "../http-client/jwks-tokens.ts";

const CALL = { vendor: "token-issuer", operation: "verifyToken" };
const ALGORITHMS = ["ES256", "EdDSA", "RS256"];

export interface TokenIssuer {
  /** The claim `iss` of the issuer's tokens. */
  readonly issuer: string;
  /** The URL of the issuer's public keys (JWKS). */
  readonly jwksUrl: string;
}

export function createJwksTokenIssuers(
  issuers: readonly TokenIssuer[],
  options: Omit<JwksOptions, "jwksUrl"> = {},
): ExternalTokenIssuers {
  const verifiers = new Map(
    issuers.map(({ issuer, jwksUrl }) => [issuer, createJwksVerifier(CALL, { ...options, jwksUrl })]),
  );
  return {
    verify: async ({ token, audience, now }) => {
      const issuer = issuerOf(token);
      const verify = verifiers.get(issuer);
      if (verify === undefined) throw invalidToken(CALL, "The issuer is not configured.");
      const payload = await verify(token, {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ["exp", "jti"],
        currentDate: now,
      });
      return verifiedToken(issuer, payload);
    },
  };
}

/** Returns the issuer that the token names, without verifying the token. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    throw invalidToken(CALL, "The token is malformed.");
  }
}

function verifiedToken(issuer: string, { sub, jti, exp = 0, ...claims }: JWTPayload): VerifiedToken {
  const agentId = claims["agent_id"];
  return {
    issuer,
    tokenId: String(jti),
    subjects: [sub, agentId].filter((subject) => typeof subject === "string"),
    owner: claims["owner"],
    mode: claims["mode"],
    expiresAt: new Date(exp * 1_000),
  };
}
