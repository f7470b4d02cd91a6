import {
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  randomUUID,
  sign,
} from "node:crypto";
import { ed25519Canonical } from "@purser/service/crypto/ed25519.ts";
import { canonicalRequest, sha256Hex } from "@purser/service/crypto/signing.ts";
import { bytesOf, type Cell } from "./dump-stores.ts";

/** The attacker's data: a dump of all stores and the published keys, but not the key encryption key. */
export interface StolenData {
  readonly cells: readonly Cell[];
  readonly publicKeys: readonly JsonWebKey[];
}

/** The parts of a request that are signed. */
export interface Target {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
}

/** A forged signature or token, and a description of how it was forged. */
export interface Forgery {
  readonly method: string;
  readonly text: string;
}

export interface ForgedSignature extends Forgery {
  readonly target: Target;
}

type Row = Readonly<Record<string, string>>;

const ENVELOPE = { header: 5, iv: 12, tag: 16 };
const WRAPPED = { header: 0, iv: 12, tag: 16 };
/** PKCS #8 encoding of an Ed25519 private key, without the 32 bytes of the key at its end. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Returns a table's rows from the dump. */
export function rowsOf({ cells }: Pick<StolenData, "cells">, table: string): Row[] {
  const rows: Record<string, string>[] = [];
  for (const cell of cells) {
    if (cell.table !== `public.${table}`) continue;
    rows[cell.row] = { ...rows[cell.row], [cell.column]: cell.text };
  }
  return rows;
}

/**
 * Returns signatures that an attacker could try for a key. Each is for a different request, because a used nonce would
 * be rejected.
 */
export function forgeSignatures(stolen: StolenData, key: Row, newTarget: () => Target): readonly ForgedSignature[] {
  const bodyHash = sha256Hex("");
  const forge = (method: string, textOf: (target: Target) => string): ForgedSignature => {
    const target = newTarget();
    return { method, target, text: textOf(target) };
  };
  const hmac = (bytes: Buffer) => (target: Target) =>
    createHmac("sha256", bytes)
      .update(canonicalRequest({ ...target, bodyHash }))
      .digest("hex");
  const ed25519 = (seed: Buffer) => (target: Target) => {
    const none = { agentId: undefined, idempotencyKey: undefined };
    const text = ed25519Canonical({ ...target, ...none, target: target.path, bodyHash });
    return sign(null, Buffer.from(text), ed25519Key(seed)).toString("hex");
  };
  const identity = Buffer.alloc(64);
  identity[0] = 1;
  return [
    ...hmacKeyGuesses(stolen, key).map(({ method, bytes }) => forge(`HMAC under ${method}`, hmac(bytes))),
    ...privateKeyGuesses(stolen, key).map(({ method, bytes }) =>
      forge(`Ed25519 of the seed ${method}`, ed25519(bytes)),
    ),
    forge("the identity point with the scalar zero", () => identity.toString("hex")),
    forge("64 zero bytes", () => "00".repeat(64)),
    forge("32 zero bytes", () => "00".repeat(32)),
  ];
}

interface KeyGuess {
  readonly method: string;
  readonly bytes: Buffer;
}

/** Returns guesses of an API key's HMAC key, made from the key's database row, published keys and guessed data keys. */
function hmacKeyGuesses(stolen: StolenData, key: Row): KeyGuess[] {
  const texts = ["key_hash", "key_hint", "key_id", "tenant_id", "public_key", "created_at"];
  const own = texts.flatMap((column) => formsOf(column, key[column]));
  const sealed = bytesOf(key["signing_key_sealed"] ?? "\\x");
  const { body } = partsOf(sealed, ENVELOPE);
  const opened = dataKeyGuesses(stolen, key).map(({ method, bytes }) => ({
    method: `the signing key, decrypted with ${method}`,
    bytes: openWithoutTag(sealed, ENVELOPE, bytes),
  }));
  return [
    { method: "the empty text", bytes: Buffer.alloc(0) },
    { method: "the hash of the empty text", bytes: Buffer.from(sha256Hex("")) },
    { method: "the signing key of unknown keys", bytes: Buffer.from(sha256Hex("no key at all")) },
    ...own,
    ...publicForms(stolen),
    { method: "the sealed bytes", bytes: sealed },
    { method: "the sealed bytes in hex", bytes: Buffer.from(sealed.toString("hex")) },
    { method: "the hash of the sealed bytes", bytes: Buffer.from(sha256Hex(sealed)) },
    { method: "the ciphertext", bytes: body },
    ...opened,
  ];
}

/**
 * Returns guesses of the tenant's data key: the guessed encryption keys, parts and a hash of the encrypted data key,
 * and the encrypted data key decrypted with each guessed encryption key.
 */
function dataKeyGuesses(stolen: StolenData, key: Row): KeyGuess[] {
  const guesses = encryptionKeyGuesses(stolen, key);
  const wrapped = rowsOf(stolen, "tenant_data_keys").find((row) => row["tenant_id"] === key["tenant_id"]);
  const bytes = bytesOf(wrapped?.["wrapped"] ?? "\\x");
  const unwrapped = guesses.map((guess) => ({
    method: `the data key, decrypted with ${guess.method}`,
    bytes: openWithoutTag(bytes, WRAPPED, guess.bytes),
  }));
  const raw = [
    { method: "the start of the encrypted data key", bytes: bytes.subarray(0, 32) },
    { method: "the end of the encrypted data key", bytes: bytes.subarray(-32) },
    { method: "the hash of the encrypted data key", bytes: sha256(bytes) },
  ];
  return [...guesses, ...raw, ...unwrapped].filter((guess) => guess.bytes.length === 32);
}

function encryptionKeyGuesses(stolen: StolenData, key: Row): KeyGuess[] {
  const [wrapping] = rowsOf(stolen, "data_key_wrappings");
  const published = stolen.publicKeys.map(({ x = "" }) => ({
    method: "a published key",
    bytes: Buffer.from(x, "base64url"),
  }));
  return [
    { method: "32 zero bytes", bytes: Buffer.alloc(32) },
    { method: "32 bytes of 0xff", bytes: Buffer.alloc(32, 0xff) },
    { method: "the hash of the empty text", bytes: sha256("") },
    { method: "the hash of the tenant", bytes: sha256(key["tenant_id"] ?? "") },
    { method: "the key's hash", bytes: Buffer.from(key["key_hash"] ?? "", "hex") },
    {
      method: "the hash of the key encryption key's name",
      bytes: sha256(wrapping?.["key_encryption_key_id"] ?? ""),
    },
    ...published,
  ];
}

/** Returns possible private keys: public values and their hashes. */
function privateKeyGuesses(stolen: StolenData, key: Row): KeyGuess[] {
  const publicKey = Buffer.from(key["public_key"] ?? "", "base64url");
  const own = [
    { method: "the public key", bytes: publicKey },
    { method: "the hash of the public key", bytes: sha256(publicKey) },
  ];
  return [...own, ...encryptionKeyGuesses(stolen, key)].filter(({ bytes }) => bytes.length === 32);
}

function publicForms({ publicKeys }: StolenData): KeyGuess[] {
  return publicKeys.flatMap((jwk) => {
    const key = createPublicKey({ format: "jwk", key: jwk });
    const pem = key.export({ type: "spki", format: "pem" }).toString();
    return [
      { method: "a published key as JWK", bytes: Buffer.from(JSON.stringify(jwk)) },
      { method: "a published key as PEM", bytes: Buffer.from(pem) },
      { method: "a published key as DER", bytes: key.export({ type: "spki", format: "der" }) },
      ...formsOf("a published key", jwk.x),
    ];
  });
}

function formsOf(method: string, text: string | undefined): KeyGuess[] {
  if (text === undefined) return [];
  return [
    { method, bytes: Buffer.from(text) },
    { method: `the hash of ${method}`, bytes: Buffer.from(sha256Hex(text)) },
    { method: `the bytes of ${method}`, bytes: Buffer.from(text, "base64url") },
    { method: `the bytes of ${method} from hex`, bytes: Buffer.from(text, "hex") },
  ];
}

/** Returns JWTs with these claims, one for each forging method. */
export function forgeTokens(stolen: StolenData, claims: Readonly<Record<string, unknown>>): Forgery[] {
  const [published = {}] = stolen.publicKeys;
  const own = ed25519Key(Buffer.alloc(32, 7));
  const ownJwk = createPublicKey(own).export({ format: "jwk" });
  const byHmac = publicForms(stolen).map(({ method, bytes }) =>
    jwt(`HS256 under ${method}`, { alg: "HS256" }, claims, (text) => createHmac("sha256", bytes).update(text).digest()),
  );
  const bySeed = encryptionKeyGuesses(stolen, {}).flatMap(({ method, bytes }) =>
    bytes.length === 32
      ? [
          jwt(`EdDSA of the seed ${method}`, { alg: "EdDSA" }, claims, (text) =>
            sign(null, Buffer.from(text), ed25519Key(bytes)),
          ),
        ]
      : [],
  );
  const signWithAttackerKey = (text: string) => sign(null, Buffer.from(text), own);
  const nothing = () => Buffer.alloc(0);
  return [
    jwt("no algorithm", { alg: "none" }, claims, nothing),
    jwt("no algorithm, capitalized", { alg: "None" }, claims, nothing),
    jwt("no signature", { alg: "EdDSA" }, claims, nothing),
    jwt("64 zero bytes", { alg: "EdDSA" }, claims, () => Buffer.alloc(64)),
    jwt("the attacker's key in the header", { alg: "EdDSA", jwk: ownJwk }, claims, signWithAttackerKey),
    jwt("the key id of a published key", { alg: "EdDSA", kid: published["kid"] }, claims, signWithAttackerKey),
    jwt("a critical header", { alg: "EdDSA", crit: ["b64"], b64: false }, claims, signWithAttackerKey),
    ...byHmac,
    ...bySeed,
  ];
}

function jwt(method: string, header: object, claims: object, signatureOf: (text: string) => Buffer): Forgery {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ typ: "at+jwt", ...header })}.${encode({ jti: randomUUID(), ...claims })}`;
  return { method, text: `${text}.${signatureOf(text).toString("base64url")}` };
}

/** Decrypts AES-GCM without checking the tag. GCM encrypts the first block with counter 2. */
function openWithoutTag(sealed: Buffer, form: typeof ENVELOPE, key: Buffer): Buffer {
  const { iv, body } = partsOf(sealed, form);
  if (iv.length !== form.iv || key.length !== 32) return Buffer.alloc(0);
  const counter = Buffer.concat([iv, Buffer.from([0, 0, 0, 2])]);
  return createDecipheriv("aes-256-ctr", key, counter).update(body);
}

function partsOf(sealed: Buffer, { header, iv, tag }: typeof ENVELOPE) {
  return {
    iv: sealed.subarray(header, header + iv),
    body: sealed.subarray(header + iv + tag),
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

function ed25519Key(seed: Buffer) {
  return createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, seed]),
    format: "der",
    type: "pkcs8",
  });
}
