import { createSecretKey, randomUUID } from "node:crypto";
import { requestSignature, sha256Hex } from "@purser/service/crypto/signing.ts";

export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Returns the headers of a signed request. Each call uses a new nonce. */
export type Signer = (method: string, path: string, body?: string) => Record<string, string>;

export function createSigner({ apiKey, apiSecret }: KeyPair): Signer {
  const signingKey = createSecretKey(Buffer.from(sha256Hex(apiSecret)));
  return (method, path, body = "") => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const parts = { timestamp, method, path, bodyHash: sha256Hex(body) };
    return {
      authorization: apiKey,
      "x-timestamp": timestamp,
      "x-nonce": randomUUID(),
      "x-request-signature": requestSignature(signingKey, parts).toString("hex"),
    };
  };
}

export type NextRequest = () => {
  readonly method?: string;
  readonly body?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

export interface Caller {
  readonly signer: Signer;
  readonly path: string;
}

/** Returns a function that builds signed GETs, cycling through the callers. */
export function roundRobin(callers: readonly Caller[]): NextRequest {
  let turn = 0;
  return () => {
    const caller = callers[turn % callers.length];
    if (caller === undefined) throw new Error("There are no callers.");
    turn += 1;
    return { path: caller.path, headers: caller.signer("GET", caller.path) };
  };
}
