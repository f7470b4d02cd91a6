import { createECDH, createPrivateKey, sign } from "node:crypto";

const CURVE = "prime256v1";

export interface TurnkeyApiKey {
  /** The compressed point, lower-case hexadecimal. */
  readonly publicKey: string;
  /** The value of `X-Stamp` for a body with exactly this text. */
  stamp(body: string): string;
}

/** Parses a P-256 API key in hexadecimal, as Turnkey displays it. Undefined if it is not one. */
export function readTurnkeyApiKey(privateKey: string): TurnkeyApiKey | undefined {
  if (!/^[0-9a-f]{64}$/i.test(privateKey)) return undefined;
  const curve = createECDH(CURVE);
  try {
    curve.setPrivateKey(privateKey, "hex");
  } catch {
    // The scalar is zero or not below the curve's order.
    return undefined;
  }
  const publicKey = curve.getPublicKey("hex", "compressed");
  // The first byte marks an uncompressed point. Each coordinate has 32 bytes.
  const point = curve.getPublicKey().subarray(1);
  const key = createPrivateKey({
    key: {
      kty: "EC",
      crv: "P-256",
      d: Buffer.from(privateKey, "hex").toString("base64url"),
      x: point.subarray(0, 32).toString("base64url"),
      y: point.subarray(32).toString("base64url"),
    },
    format: "jwk",
  });
  return {
    publicKey,
    stamp: (body) => {
      const signature = sign("sha256", Buffer.from(body), { key, dsaEncoding: "der" });
      const stamp = {
        publicKey,
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        signature: signature.toString("hex"),
      };
      return Buffer.from(JSON.stringify(stamp)).toString("base64url");
    },
  };
}
