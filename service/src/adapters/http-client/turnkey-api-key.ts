import { createECDH, createPrivateKey, sign } from "node:crypto";

const CURVE = "prime256v1";

export interface TurnkeyApiKey {
  /** The compressed point in lowercase hexadecimal. */
  readonly publicKey: string;
  /** Returns the `X-Stamp` header for a request with exactly this body (https://docs.turnkey.com/api-reference/overview/stamps). */
  stamp(body: string): string;
}

/** Parses a P-256 private key in hexadecimal, as Turnkey displays it. Returns undefined if it is invalid. */
export function readApiKey(privateKey: string): TurnkeyApiKey | undefined {
  if (!/^[0-9a-f]{64}$/i.test(privateKey)) return undefined;
  const curve = createECDH(CURVE);
  try {
    curve.setPrivateKey(privateKey, "hex");
  } catch {
    // The private key is zero, or is not less than the curve's order.
    return undefined;
  }
  const publicKey = curve.getPublicKey("hex", "compressed");
  // The first byte, which marks an uncompressed point, is removed. Each coordinate is 32 bytes long.
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
