import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { sha256Hex } from "./signing.ts";

/** Signs statements that others can verify with the published keys: the audit checkpoints. */
export interface StatementSigner {
  /** The id of the signing key: the first 16 hex characters of the SHA-256 of its raw public key. */
  readonly keyId: string;
  /** All valid public keys, the signing key's first, as `/.well-known/jwks.json` publishes them. */
  readonly publicJwks: readonly JsonWebKey[];
  /** Ed25519 signature of the text's UTF-8 bytes, base64url. */
  sign(text: string): string;
  /** Whether the signature is valid under the key with this id. False for an unknown key. */
  verify(text: string, statement: { readonly keyId: string; readonly signature: string }): boolean;
}

/**
 * @param privateKeyPem an Ed25519 private key, PKCS #8 PEM
 * @param otherPublicKeys public keys, SPKI PEM, whose signatures are valid too: earlier keys, and before a rotation the
 * next key, so that replicas that have not rotated yet accept the signatures of those that have
 */
export function createStatementSigner(
  privateKeyPem: string,
  otherPublicKeys: readonly string[] = [],
): StatementSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  if (privateKey.asymmetricKeyType !== "ed25519")
    throw new Error("The statement key is not an Ed25519 key.");
  const signing = namedKey(createPublicKey(privateKey));
  const trusted = new Map([signing, ...otherPublicKeys.map(readPublicKey)]);
  const [keyId] = signing;
  return {
    keyId,
    publicJwks: [...trusted].map(([kid, publicKey]) => ({
      ...publicKey.export({ format: "jwk" }),
      kid,
      alg: "EdDSA",
      use: "sig",
    })),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
    verify: (text, statement) => {
      const publicKey = trusted.get(statement.keyId);
      const signature = Buffer.from(statement.signature, "base64url");
      return publicKey !== undefined && verify(null, Buffer.from(text), publicKey, signature);
    },
  };
}

/** Refuses private keys: Node would accept them, but the result is published. */
function readPublicKey(pem: string): [keyId: string, publicKey: KeyObject] {
  if (!pem.includes("BEGIN PUBLIC KEY")) throw new Error("A statement key is not a public key.");
  const publicKey = createPublicKey(pem);
  if (publicKey.asymmetricKeyType !== "ed25519")
    throw new Error("A statement key is not an Ed25519 key.");
  return namedKey(publicKey);
}

function namedKey(publicKey: KeyObject): [keyId: string, publicKey: KeyObject] {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return [sha256Hex(Buffer.from(x, "base64url")).slice(0, 16), publicKey];
}
