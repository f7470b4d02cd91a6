import { createECDH, createHash, createPublicKey, ECDH, type KeyObject } from "node:crypto";

const CURVE = "prime256v1";

/** A P-256 key pair in Turnkey's format: hexadecimal, with a compressed public key. */
export interface P256KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function deriveP256KeyPair(seed: string): P256KeyPair {
  const privateKey = createHash("sha256").update(seed).digest("hex");
  const curve = createECDH(CURVE);
  curve.setPrivateKey(privateKey, "hex");
  return { publicKey: curve.getPublicKey("hex", "compressed"), privateKey };
}

/** Decodes a compressed public key. Throws if it is not a point on the curve. */
export function p256PublicKey(compressed: string): KeyObject {
  const hex = ECDH.convertKey(compressed, CURVE, "hex", "hex", "uncompressed").toString();
  // Skips the first byte, which marks an uncompressed point. The coordinates have 32 bytes each.
  const point = Buffer.from(hex, "hex").subarray(1);
  const x = point.subarray(0, 32).toString("base64url");
  const y = point.subarray(32).toString("base64url");
  return createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
}
