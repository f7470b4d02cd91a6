import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { ed25519Canonical, importEd25519PublicKey, verifyEd25519 } from "@purser/service/crypto/ed25519.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { SIGNED_PATH } from "./paths.ts";

const WARM_UP = 500;
const SIGNATURES = 5_000;

export interface Ed25519Figures {
  readonly signatures: number;
  readonly medianMicros: number;
  readonly p99Micros: number;
}

/** Measures how long Purser takes to verify an Ed25519 signature. Each signature is for a different request. */
export function measureEd25519(): Ed25519Figures {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = importEd25519PublicKey(String(publicKey.export({ format: "jwk" }).x));
  const samplesMicros: number[] = [];
  for (let round = 0; round < WARM_UP + SIGNATURES; round += 1) {
    const text = requestText();
    const signature = sign(null, Buffer.from(text), privateKey);
    const startedMs = performance.now();
    const isValid = verifyEd25519(key, text, signature);
    const elapsedMs = performance.now() - startedMs;
    if (!isValid) throw new Error("A valid signature was rejected.");
    if (round >= WARM_UP) samplesMicros.push(elapsedMs * 1_000);
  }
  samplesMicros.sort((a, b) => a - b);
  const at = (share: number) => samplesMicros[Math.floor(samplesMicros.length * share)] ?? Number.NaN;
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
