import { randomBytes } from "node:crypto";
import { exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { digitsOf, type Person } from "../oauth/people.ts";
import { createSigningKey, getSigningKey, publicPartOf } from "./signing-key.ts";

export const ISSUER = "https://accounts.google.com";
const LIFETIME_SECONDS = 3_600;
const SUBJECT_DIGITS = 21;

/** Defects that a client must detect when it validates an ID token. */
export const ID_TOKEN_FLAWS = {
  other_audience: "is for another app",
  other_issuer: "has a different issuer",
  expired: "expired a second ago",
  wrong_nonce: "has a different nonce",
  other_key: "is signed with a different key, but has the ID of Google's key",
  unknown_key: "is signed with a key that Google does not publish",
  unsigned: 'is not signed (its alg is "none")',
  public_key_as_secret: "is signed with HMAC, using Google's public key as the secret",
} as const;

export type IdTokenFlaw = keyof typeof ID_TOKEN_FLAWS;

export interface IdTokenRequest {
  readonly clientId: string;
  readonly person: Person;
  readonly nonce?: string | undefined;
  readonly flaw?: IdTokenFlaw | undefined;
  /** Overrides claims. A claim that is set to undefined is removed. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Issues an ID token in Google's format: RS256, valid for one hour. If `flaw` is set, the token has only that defect.
 */
export async function issueIdToken(context: VendorContext, request: IdTokenRequest): Promise<string> {
  const claims = claimsOf(request, Math.floor(context.now().getTime() / 1_000));
  const key = await getSigningKey(context);
  switch (request.flaw) {
    case "unsigned":
      return new UnsecuredJWT(claims).encode();
    case "public_key_as_secret":
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: key.kid ?? "", typ: "JWT" })
        .sign(await publicKeyText(key));
    case "other_key":
      return sign(claims, { ...(await createSigningKey()), kid: key.kid ?? "" });
    case "unknown_key":
      return sign(claims, await createSigningKey());
    default:
      return sign(claims, key);
  }
}

/** The user's claims in ID tokens and in userinfo responses. */
export function userClaims(person: Person) {
  return {
    sub: digitsOf(person, SUBJECT_DIGITS),
    email: person.email,
    email_verified: person.emailVerified,
    name: person.name,
  };
}

function claimsOf({ clientId, person, nonce, flaw, claims }: IdTokenRequest, now: number) {
  const valid: JWTPayload = {
    iss: ISSUER,
    azp: clientId,
    aud: clientId,
    ...userClaims(person),
    nonce,
    iat: now,
    exp: now + LIFETIME_SECONDS,
    jti: randomBytes(20).toString("hex"),
  };
  return { ...valid, ...(flaw === undefined ? {} : flawedClaims(flaw, now)), ...claims };
}

function flawedClaims(flaw: IdTokenFlaw, now: number): JWTPayload {
  const anotherApp = "another-app.apps.googleusercontent.com";
  const flawed: Partial<Record<IdTokenFlaw, JWTPayload>> = {
    other_audience: { aud: anotherApp, azp: anotherApp },
    other_issuer: { iss: "https://accounts.example.com" },
    expired: { iat: now - 1 - LIFETIME_SECONDS, exp: now - 1 },
    wrong_nonce: { nonce: "another-nonce" },
  };
  return flawed[flaw] ?? {};
}

async function sign(claims: JWTPayload, key: JWK): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid: key.kid ?? "", typ: "JWT" })
    .sign(await importJWK(key, "RS256"));
}

async function publicKeyText(key: JWK): Promise<Uint8Array> {
  const publicKey = await importJWK(publicPartOf(key), "RS256", { extractable: true });
  if (publicKey instanceof Uint8Array) throw new TypeError("An RSA key is not a shared secret.");
  return new TextEncoder().encode(await exportSPKI(publicKey));
}
