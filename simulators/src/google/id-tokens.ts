import { randomBytes } from "node:crypto";
import { exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { digitsOf, type Person } from "../oauth/people.ts";
import { makeSigningKey, publicPartOf, signingKeyOf } from "./signing-key.ts";

export const ISSUER = "https://accounts.google.com";
const LIFETIME_SECONDS = 3_600;
const SUBJECT_DIGITS = 21;

/** What can be wrong with an ID token, for those who have to refuse it. */
export const ID_TOKEN_FLAWS = {
  other_audience: "is for another app",
  other_issuer: "is of another issuer",
  expired: "has been over for a second",
  wrong_nonce: "has another nonce",
  other_key: "is signed with another key under the id of Google's",
  unknown_key: "is signed with a key that Google does not publish",
  unsigned: 'is not signed (its alg is "none")',
  public_key_as_secret: "is signed by HMAC with Google's public key for the secret",
} as const;

export type IdTokenFlaw = keyof typeof ID_TOKEN_FLAWS;

export interface IdTokenOrder {
  readonly clientId: string;
  readonly person: Person;
  readonly nonce?: string | undefined;
  readonly flaw?: IdTokenFlaw | undefined;
  /** In place of what would stand there, or not at all where undefined. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** An ID token as Google issues them: RS256, good for an hour. With a flaw, exactly that is wrong with it. */
export async function issueIdToken(context: VendorContext, order: IdTokenOrder): Promise<string> {
  const claims = claimsOf(order, Math.floor(context.now().getTime() / 1_000));
  const key = await signingKeyOf(context);
  switch (order.flaw) {
    case "unsigned":
      return new UnsecuredJWT(claims).encode();
    case "public_key_as_secret":
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: key.kid ?? "", typ: "JWT" })
        .sign(await publicKeyText(key));
    case "other_key":
      return sign(claims, { ...(await makeSigningKey()), kid: key.kid ?? "" });
    case "unknown_key":
      return sign(claims, await makeSigningKey());
    default:
      return sign(claims, key);
  }
}

/** What ID tokens and the userinfo endpoint say of a person. */
export function userClaims(person: Person) {
  return {
    sub: digitsOf(person, SUBJECT_DIGITS),
    email: person.email,
    email_verified: person.emailVerified,
    name: person.name,
  };
}

function claimsOf({ clientId, person, nonce, flaw, claims }: IdTokenOrder, now: number) {
  const good: JWTPayload = {
    iss: ISSUER,
    azp: clientId,
    aud: clientId,
    ...userClaims(person),
    nonce,
    iat: now,
    exp: now + LIFETIME_SECONDS,
    jti: randomBytes(20).toString("hex"),
  };
  return { ...good, ...(flaw === undefined ? {} : flawedClaims(flaw, now)), ...claims };
}

function flawedClaims(flaw: IdTokenFlaw, now: number): JWTPayload {
  const anotherApp = "another-app.apps.googleusercontent.com";
  const flawed: Partial<Record<IdTokenFlaw, JWTPayload>> = {
    other_audience: { aud: anotherApp, azp: anotherApp },
    other_issuer: { iss: "https://accounts.example.com" },
    expired: { iat: now - 1 - LIFETIME_SECONDS, exp: now - 1 },
    wrong_nonce: { nonce: "a-nonce-of-somebody-else" },
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
  if (publicKey instanceof Uint8Array) throw new TypeError("An RSA key is no secret.");
  return new TextEncoder().encode(await exportSPKI(publicKey));
}
