import { decodeJwt } from "jose";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { callProvider } from "./call-provider.ts";
import {
  type IdentityLogin,
  type IdentityLoginAccess,
  logInAsIdentity,
} from "./log-in-as-identity.ts";
import { notOffered } from "./redirect-login.ts";

/** Longer than any clock skew by which an expired token may still pass. */
const SKEW_MS = 300_000;

export interface LogInWithGoogle {
  readonly idToken: string;
  /** What the client had put into the token, to know it as its own. */
  readonly nonce: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Logs in with an ID token that a client got from Google by itself. A token is good once. Throws `authentication_failed` for
 * one that is not good, and `provider_unavailable` where Google's keys cannot be had.
 */
export async function logInWithGoogle(
  app: IdentityLoginAccess,
  { idToken, nonce, client }: LogInWithGoogle,
): Promise<IdentityLogin> {
  const google = app.identityProviders.google;
  if (google === null) throw notOffered("google");
  const now = app.clock.now();
  const identity = await callProvider(app, google.idTokens.identify({ idToken, nonce, now }));
  await claimToken(app, idToken, now);
  return logInAsIdentity(app, { provider: "google", identity, client });
}

/**
 * Uses a verified token up. It is remembered by what Google has signed: the text of a signature can be written in more ways
 * than one, and the token would be another each time.
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
  if (!isFirst) throw authenticationFailed("an ID token that was used before");
}
