import { createECDH, createHash, createPublicKey, ECDH, type KeyObject } from "node:crypto";

const CURVE = "prime256v1";

/** Turnkey's API keys: hexadecimal, the public one compressed. */
export interface P256KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The pair that always belongs to this seed. */
export function p256KeyPairOf(seed: string): P256KeyPair {
  const privateKey = createHash("sha256").update(seed).digest("hex");
  const curve = createECDH(CURVE);
  curve.setPrivateKey(privateKey, "hex");
  return { publicKey: curve.getPublicKey("hex", "compressed"), privateKey };
}

/** The key of a compressed point. Throws where there is no such point. */
export function p256PublicKey(compressed: string): KeyObject {
  const hex = ECDH.convertKey(compressed, CURVE, "hex", "hex", "uncompressed").toString();
  // After the byte that says "uncompressed", either coordinate has 32 bytes.
  const point = Buffer.from(hex, "hex").subarray(1);
  const x = point.subarray(0, 32).toString("base64url");
  const y = point.subarray(32).toString("base64url");
  return createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
}
