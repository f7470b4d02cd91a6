import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";
import { ed25519KeyId } from "./ed25519.ts";

/** Signs audit checkpoints and tokens about agents. Anyone can verify the signatures with the published keys. */
export interface StatementSigner {
  /** The signing key's id: the first 16 hex characters of the SHA-256 of the raw public key. */
  readonly keyId: string;
  /** All valid public keys, as published at `/.well-known/jwks.json`. The signing key's public key is first. */
  readonly publicJwks: readonly JsonWebKey[];
  /** Returns the Ed25519 signature of the text's UTF-8 bytes in base64url. */
  sign(text: string): string;
  /** Returns true if the signature is valid for the key with this id. Returns false for an unknown key. */
  verify(text: string, statement: { readonly keyId: string; readonly signature: string }): boolean;
}

/**
 * @param privateKeyPem an Ed25519 private key in PKCS #8 PEM
 * @param otherPublicKeys public keys in SPKI PEM that `verify` also accepts: earlier keys and, before a rotation, the
 * next key. During the rotation, some replicas already sign with the next key.
 */
export function createStatementSigner(privateKeyPem: string, otherPublicKeys: readonly string[] = []): StatementSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  if (privateKey.asymmetricKeyType !== "ed25519") throw new Error("The statement key is not an Ed25519 key.");
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

/** Rejects private keys, although `createPublicKey` accepts them. */
function readPublicKey(pem: string): [keyId: string, publicKey: KeyObject] {
  if (!pem.includes("BEGIN PUBLIC KEY")) throw new Error("A statement key is not a public key.");
  const publicKey = createPublicKey(pem);
  if (publicKey.asymmetricKeyType !== "ed25519") throw new Error("A statement key is not an Ed25519 key.");
  return namedKey(publicKey);
}

function namedKey(publicKey: KeyObject): [keyId: string, publicKey: KeyObject] {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return [ed25519KeyId(x), publicKey];
}
