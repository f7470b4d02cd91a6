import { canonicalJson, type Json } from "../canonical-json.ts";
import { sha256Hex } from "../crypto/hash.ts";
import { SignatureVerificationError } from "../errors.ts";
import { ed25519KeysById, isSignedBy, type TrustedKeys } from "./trusted-keys.ts";

/** The signature of a statement, as the API returns it. */
export interface StatementSignature {
  /** The lowercase hex SHA-256 of the statement's canonical JSON (RFC 8785). */
  readonly hash: string;
  /** Ed25519, in base64url. */
  readonly signature: string;
  readonly alg: string;
  /** The id of the key that signed. */
  readonly kid: string;
}

interface Statement {
  /** What the statement is, for error messages: `The payment receipt`. */
  readonly title: string;
  readonly domain: string;
  readonly content: Json;
}

/**
 * Verifies that a trusted key signed `<domain>\n<hash>`, and that the hash is that of the content.
 *
 * @throws SignatureVerificationError if it is not so.
 */
export async function verifyStatement(
  { title, domain, content }: Statement,
  { hash, signature, alg, kid }: StatementSignature,
  { keys }: TrustedKeys,
): Promise<void> {
  if (alg !== "ed25519") throw new SignatureVerificationError(`${title} has an unknown alg.`);
  if ((await hashOf(title, content)) !== hash) {
    throw new SignatureVerificationError(`${title} does not match the hash that was signed.`);
  }
  const key = (await ed25519KeysById(keys)).get(kid);
  if (key === undefined) {
    throw new SignatureVerificationError(`${title} is signed with a key that is not trusted.`);
  }
  if (!(await isSignedBy(key, signature, `${domain}\n${hash}`))) {
    throw new SignatureVerificationError(`${title} has a signature that is not valid.`);
  }
}

async function hashOf(title: string, content: Json): Promise<string> {
  try {
    return await sha256Hex(canonicalJson(content));
  } catch (cause) {
    throw new SignatureVerificationError(`${title} has no canonical form.`, { cause });
  }
}
