import { verify } from "node:crypto";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { findUserByKey, type TurnkeyUser } from "./organizations.ts";
import { p256PublicKey } from "./p256-key.ts";

const BASE64URL = /^[A-Za-z0-9_-]{1,2000}$/;

const Stamp = Type.Object(
  {
    publicKey: Type.String({ pattern: "^0[23][0-9a-f]{64}$" }),
    scheme: Type.Literal("SIGNATURE_SCHEME_TK_API_P256"),
    /** The DER-encoded signature, in hexadecimal. */
    signature: Type.String({ pattern: "^([0-9a-f]{2}){8,72}$" }),
  },
  { additionalProperties: false },
);

/**
 * Verifies the `X-Stamp` header, a signature over the raw body
 * (https://docs.turnkey.com/api-reference/overview/stamps). Returns the API key's user, or undefined if the stamp is
 * invalid. Passkey stamps are not supported.
 */
export async function verifyStamp(
  { headers, rawBody }: VendorRequest,
  context: VendorContext,
): Promise<TurnkeyUser | undefined> {
  const stamp = readStamp(headers["x-stamp"]);
  if (stamp === undefined || !isSigned(stamp, rawBody)) return undefined;
  return findUserByKey(stamp.publicKey, context);
}

function readStamp(header: unknown): Static<typeof Stamp> | undefined {
  if (typeof header !== "string" || !BASE64URL.test(header)) return undefined;
  try {
    const stamp: unknown = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
    return Check(Stamp, stamp) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

function isSigned({ publicKey, signature }: Static<typeof Stamp>, rawBody: string): boolean {
  try {
    const key = { key: p256PublicKey(publicKey), dsaEncoding: "der" } as const;
    return verify("sha256", Buffer.from(rawBody), key, Buffer.from(signature, "hex"));
  } catch {
    // The key is not a point on the curve, or the signature is not valid DER.
    return false;
  }
}
