import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import {
  ed25519Canonical,
  importEd25519PublicKey,
  verifyEd25519,
} from "@purser/service/crypto/ed25519.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { SIGNED_PATH } from "./paths.ts";

const WARM_UP = 500;
const SIGNATURES = 5_000;

export interface Ed25519Figures {
  readonly signatures: number;
  readonly medianMicros: number;
  readonly p99Micros: number;
}

/** Has the service's own function verify signatures of requests, each of another one, and looks at the clock around each. */
export function measureEd25519(): Ed25519Figures {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = importEd25519PublicKey(String(publicKey.export({ format: "jwk" }).x));
  const taken: number[] = [];
  for (let round = 0; round < WARM_UP + SIGNATURES; round += 1) {
    const text = requestText();
    const signature = sign(null, Buffer.from(text), privateKey);
    const beganMs = performance.now();
    const isRight = verifyEd25519(key, text, signature);
    const elapsedMs = performance.now() - beganMs;
    if (!isRight) throw new Error("A right signature was found wrong.");
    if (round >= WARM_UP) taken.push(elapsedMs * 1_000);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.floor(taken.length * share)] ?? Number.NaN;
  return { signatures: SIGNATURES, medianMicros: at(0.5), p99Micros: at(0.99) };
}

function requestText(): string {
  return ed25519Canonical({
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomUUID(),
    method: "GET",
    target: SIGNED_PATH,
    agentId: undefined,
    idempotencyKey: undefined,
    bodyHash: sha256Hex(""),
  });
}
