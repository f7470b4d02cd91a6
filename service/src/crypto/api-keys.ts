import { randomBytes } from "node:crypto";
import type { Mode } from "../foundation/vocabulary.ts";
import { sha256Hex } from "./signing.ts";

/** A fresh pair (specification, "Key pair"): both texts are shown once, and only hashes of them are kept. */
export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly keyHash: string;
  /** Lower-case hex SHA-256 of the secret: what requests are signed under. Kept sealed only. */
  readonly signingKey: string;
  /** An ellipsis and the last four characters, for people to tell their keys apart. */
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

/** Step 1: whether a text is a whole API key of either mode. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}
