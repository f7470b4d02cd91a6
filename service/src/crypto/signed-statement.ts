import { canonicalJson, type Json } from "../foundation/canonical-json.ts";
import { sha256Hex } from "./signing.ts";
import type { StatementSigner } from "./statement-signer.ts";

/** A signed statement, as the API shows it. The statement itself is derived from the object that it is about. */
export interface SignedStatement {
  /** The lowercase hex SHA-256 of the statement's canonical JSON (RFC 8785). */
  readonly hash: string;
  /** In base64url. */
  readonly signature: string;
  readonly alg: "ed25519";
  /** The id of the signing key in `/.well-known/jwks.json`. */
  readonly kid: string;
}

/**
 * Signs `<domain>\n<hash>`. The domain keeps a signature of one kind of statement from being valid for another kind,
 * and from being valid as a checkpoint or a token about an agent.
 *
 * @param domain the kind and version of the statement, for example `purser-payment-receipt-v1`
 */
export function signStatement(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  domain: string,
  statement: Json,
): SignedStatement {
  const hash = sha256Hex(canonicalJson(statement));
  const signature = signer.sign(`${domain}\n${hash}`);
  return { hash, signature, alg: "ed25519", kid: signer.keyId };
}

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
