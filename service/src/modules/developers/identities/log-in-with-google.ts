import { decodeJwt } from "jose";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { type IdentityLogin, type IdentityLoginAccess, logInAsIdentity } from "./log-in-as-identity.ts";
import { callProvider, notConfigured } from "./redirect-login.ts";

/**
 * How long a used ID token is remembered after it expires. A server whose clock is slow still accepts an expired token,
 * so this time must exceed the difference between the servers' clocks.
 */
const SKEW_MS = 300_000;

export interface LogInWithGoogle {
  readonly idToken: string;
  /** The nonce that the client sent to Google. If given, the token must contain it. */
  readonly nonce: string | undefined;
  readonly client: ClientInfo;
}

/** Logs in with a Google ID token that the client obtained. Each token can be used once. */
export async function logInWithGoogle(
  app: IdentityLoginAccess,
  { idToken, nonce, client }: LogInWithGoogle,
): Promise<IdentityLogin> {
  const google = app.identityProviders.google;
  if (google === null) throw notConfigured("google");
  const now = app.clock.now();
  const identity = await callProvider(app, google.idTokens.identify({ idToken, nonce, now }));
  await claimToken(app, idToken, now);
  return logInAsIdentity(app, { provider: "google", identity, client });
}

/**
 * Marks a verified token as used. The same signature can be encoded in several ways, so the token is identified by a
 * hash of its signed part only.
 */
async function claimToken(
  { fastState, settings }: Pick<IdentityLoginAccess, "fastState" | "settings">,
  idToken: string,
  now: Date,
): Promise<void> {
  const signed = idToken.slice(0, idToken.lastIndexOf("."));
  const expiresAtMs = (decodeJwt(idToken).exp ?? 0) * 1000;
  const nowMs = now.getTime();
  const isFirst = await callStore(
    fastState.claimOnce({
      key: `id-token:${sha256Hex(signed)}`,
      ttlMs: Math.max(0, expiresAtMs - nowMs) + SKEW_MS,
      nowMs,
    }),
    settings.storeTimeoutMs,
    "using up an ID token",
  );
  if (!isFirst) throw authenticationFailed("the ID token was already used");
}
