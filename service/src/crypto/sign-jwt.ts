import type { StatementSigner } from "./statement-signer.ts";

/**
 * Returns a JWT that the statement key signs. The key also signs audit checkpoints. A JWT's signature is never valid for a
 * checkpoint: the signed text of a JWT contains a dot, and that of a checkpoint is a hash of 64 hex characters.
 *
 * @param typ the token's media type, so that a token of one kind is not accepted as one of another kind
 */
export function signJwt(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  typ: string,
  claims: Readonly<Record<string, string | number>>,
): string {
  const header = { alg: "EdDSA", typ, kid: signer.keyId };
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${signer.sign(text)}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
