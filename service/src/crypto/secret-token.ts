import { randomBytes } from "node:crypto";
import { sha256Hex } from "./signing.ts";

export interface SecretToken {
  /** 32 random bytes in base64url. Sent to the token's owner and never stored. */
  readonly token: string;
  readonly tokenHash: string;
}

export function newSecretToken(): SecretToken {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: sha256Hex(token) };
}
