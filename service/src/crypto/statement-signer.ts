import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { sha256Hex } from "./signing.ts";

/** Signs statements of this service that others must be able to check: audit checkpoints now, receipts and proofs later. */
export interface StatementSigner {
  /** Names the key that signs: the first 16 hex characters of the SHA-256 of its raw public half. */
  readonly keyId: string;
  /** The public half of every key whose signatures are good, that of the one that signs first, as `/.well-known/jwks.json` shows them. */
  readonly publicJwks: readonly JsonWebKey[];
  /** Ed25519 over the text's UTF-8 bytes, base64url. */
  sign(text: string): string;
  /** Whether a signature was made by the key of that name, and that key is one of ours. */
  verify(text: string, statement: { readonly keyId: string; readonly signature: string }): boolean;
}

/**
 * @param privateKeyPem an Ed25519 private key as PKCS #8 PEM
 * @param otherPublicKeys the public halves, as SPKI PEM, of keys that do not sign here and whose signatures are good all the
 * same: those that signed before, and before a change of keys the one that is about to, so that replicas that have not
 * changed yet believe those that have
 */
export function createStatementSigner(
  privateKeyPem: string,
  otherPublicKeys: readonly string[] = [],
): StatementSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  if (privateKey.asymmetricKeyType !== "ed25519")
    throw new Error("The signing key is not Ed25519.");
  const own = namedKey(createPublicKey(privateKey));
  const known = new Map([own, ...otherPublicKeys.map(readPublicKey)]);
  const [keyId] = own;
  return {
    keyId,
    publicJwks: [...known].map(([kid, publicKey]) => ({
      ...publicKey.export({ format: "jwk" }),
      kid,
      alg: "EdDSA",
      use: "sig",
    })),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
    verify: (text, statement) => {
      const publicKey = known.get(statement.keyId);
      const signature = Buffer.from(statement.signature, "base64url");
      return publicKey !== undefined && verify(null, Buffer.from(text), publicKey, signature);
    },
  };
}

/** A private key would do as well, and has no business where public ones are listed. */
function readPublicKey(pem: string): [keyId: string, publicKey: KeyObject] {
  if (!pem.includes("BEGIN PUBLIC KEY")) throw new Error("A statement key is not a public key.");
  const publicKey = createPublicKey(pem);
  if (publicKey.asymmetricKeyType !== "ed25519") throw new Error("A statement key is not Ed25519.");
  return namedKey(publicKey);
}

function namedKey(publicKey: KeyObject): [keyId: string, publicKey: KeyObject] {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return [sha256Hex(Buffer.from(x, "base64url")).slice(0, 16), publicKey];
}
