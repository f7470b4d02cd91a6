import { randomBytes } from "node:crypto";
import type { Mode } from "../foundation/vocabulary.ts";
import { sha256Hex } from "./signing.ts";

/**
 * A new API key and its secret (docs/rules/credentials.md). Both are shown once; only values derived from them are
 * stored.
 */
export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly keyHash: string;
  /** Lowercase hex SHA-256 of the secret, used as the HMAC key for signed requests. Stored encrypted. */
  readonly signingKey: string;
  /** An ellipsis and the last four characters, so that users can recognize the key. */
  readonly keyHint: string;
}

export function newKeyPair(mode: Mode): KeyPair {
  const apiKey = `svc_sk_${mode}_${randomBytes(32).toString("base64url")}`;
  const apiSecret = `svc_ss_${mode}_${randomBytes(48).toString("base64url")}`;
  return {
    apiKey,
    apiSecret,
    keyHash: sha256Hex(apiKey),
    signingKey: sha256Hex(apiSecret),
    keyHint: `…${apiKey.slice(-4)}`,
  };
}

const API_KEY = /^svc_sk_(live|test)_[A-Za-z0-9_-]{43}$/;

/** Returns true if the text has the form of an API key of either mode (docs/rules/signing.md, step 1). */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}
