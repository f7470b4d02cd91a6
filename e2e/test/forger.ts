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

/** What a forger holds: the whole dump, what the service publishes, and our source. Not the key encryption key. */
export interface Loot {
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

/** What goes into a header, and the idea behind it. */
export interface Forgery {
  readonly idea: string;
  readonly text: string;
}

export interface ForgedSignature extends Forgery {
  readonly target: Target;
}

type Row = Readonly<Record<string, string>>;

const ENVELOPE = { header: 5, iv: 12, tag: 16 };
const WRAPPED = { header: 0, iv: 12, tag: 16 };
/** PKCS #8 of an Ed25519 private key, up to its 32 bytes. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The rows of a table, as they were dumped. */
export function rowsOf({ cells }: Pick<Loot, "cells">, table: string): Row[] {
  const rows: Record<string, string>[] = [];
  for (const cell of cells) {
    if (cell.table !== `public.${table}`) continue;
    rows[cell.row] = { ...rows[cell.row], [cell.column]: cell.text };
  }
  return rows;
}

/**
 * Signatures that somebody may try for this key who holds its row and everything beside it. Each is of a request of its own:
 * a nonce that was seen would be refused for that.
 */
export function forgeSignatures(
  loot: Loot,
  key: Row,
  newTarget: () => Target,
): readonly ForgedSignature[] {
  const bodyHash = sha256Hex("");
  const forge = (idea: string, textOf: (target: Target) => string): ForgedSignature => {
    const target = newTarget();
    return { idea, target, text: textOf(target) };
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
    ...hmacKeysFor(loot, key).map(({ idea, bytes }) => forge(`HMAC under ${idea}`, hmac(bytes))),
    ...seedsFor(loot, key).map(({ idea, bytes }) =>
      forge(`Ed25519 of the seed ${idea}`, ed25519(bytes)),
    ),
    forge("the identity point with the scalar nought", () => identity.toString("hex")),
    forge("noughts", () => "00".repeat(64)),
    forge("fewer noughts", () => "00".repeat(32)),
  ];
}

interface Material {
  readonly idea: string;
  readonly bytes: Buffer;
}

/** Whatever stands in the row, as text and as bytes, hashed, and opened with whatever may be taken for a key. */
function hmacKeysFor(loot: Loot, key: Row): Material[] {
  const texts = ["key_hash", "key_hint", "key_id", "tenant_id", "public_key", "created_at"];
  const own = texts.flatMap((column) => formsOf(column, key[column]));
  const sealed = bytesOf(key["signing_key_sealed"] ?? "\\x");
  const { body } = partsOf(sealed, ENVELOPE);
  const opened = dataKeysFor(loot, key).map(({ idea, bytes }) => ({
    idea: `what ${idea} opens`,
    bytes: openWithoutTag(sealed, ENVELOPE, bytes),
  }));
  return [
    { idea: "nothing", bytes: Buffer.alloc(0) },
    { idea: "the hash of nothing", bytes: Buffer.from(sha256Hex("")) },
    { idea: "the decoy's signing key", bytes: Buffer.from(sha256Hex("no key at all")) },
    ...own,
    ...publicForms(loot),
    { idea: "the sealed bytes", bytes: sealed },
    { idea: "the sealed bytes in hex", bytes: Buffer.from(sealed.toString("hex")) },
    { idea: "the hash of the sealed bytes", bytes: Buffer.from(sha256Hex(sealed)) },
    { idea: "the ciphertext", bytes: body },
    ...opened,
  ];
}

/** What may be taken for the tenant's data key, opened under what may be taken for the key encryption key, or not at all. */
function dataKeysFor(loot: Loot, key: Row): Material[] {
  const guesses = guessedKeys(loot, key);
  const wrapped = rowsOf(loot, "tenant_data_keys").find(
    (row) => row["tenant_id"] === key["tenant_id"],
  );
  const bytes = bytesOf(wrapped?.["wrapped"] ?? "\\x");
  const unwrapped = guesses.map((guess) => ({
    idea: `the data key that ${guess.idea} opens`,
    bytes: openWithoutTag(bytes, WRAPPED, guess.bytes),
  }));
  const raw = [
    { idea: "the beginning of the wrapped data key", bytes: bytes.subarray(0, 32) },
    { idea: "the end of the wrapped data key", bytes: bytes.subarray(-32) },
    { idea: "the hash of the wrapped data key", bytes: sha256(bytes) },
  ];
  return [...guesses, ...raw, ...unwrapped].filter((guess) => guess.bytes.length === 32);
}

function guessedKeys(loot: Loot, key: Row): Material[] {
  const [wrapping] = rowsOf(loot, "data_key_wrappings");
  const published = loot.publicKeys.map(({ x = "" }) => ({
    idea: "a published key",
    bytes: Buffer.from(x, "base64url"),
  }));
  return [
    { idea: "32 noughts", bytes: Buffer.alloc(32) },
    { idea: "32 ones", bytes: Buffer.alloc(32, 0xff) },
    { idea: "the hash of nothing", bytes: sha256("") },
    { idea: "the hash of the tenant", bytes: sha256(key["tenant_id"] ?? "") },
    { idea: "the key's hash", bytes: Buffer.from(key["key_hash"] ?? "", "hex") },
    {
      idea: "the hash of the key encryption key's name",
      bytes: sha256(wrapping?.["key_encryption_key_id"] ?? ""),
    },
    ...published,
  ];
}

/** Private keys that may be guessed: the bytes of what is public, and their hashes. */
function seedsFor(loot: Loot, key: Row): Material[] {
  const publicKey = Buffer.from(key["public_key"] ?? "", "base64url");
  const own = [
    { idea: "the public key", bytes: publicKey },
    { idea: "the hash of the public key", bytes: sha256(publicKey) },
  ];
  return [...own, ...guessedKeys(loot, key)].filter(({ bytes }) => bytes.length === 32);
}

function publicForms({ publicKeys }: Loot): Material[] {
  return publicKeys.flatMap((jwk) => {
    const key = createPublicKey({ format: "jwk", key: jwk });
    const pem = key.export({ type: "spki", format: "pem" }).toString();
    return [
      { idea: "a published key as JWK", bytes: Buffer.from(JSON.stringify(jwk)) },
      { idea: "a published key as PEM", bytes: Buffer.from(pem) },
      { idea: "a published key as DER", bytes: key.export({ type: "spki", format: "der" }) },
      ...formsOf("a published key", jwk.x),
    ];
  });
}

function formsOf(idea: string, text: string | undefined): Material[] {
  if (text === undefined) return [];
  return [
    { idea, bytes: Buffer.from(text) },
    { idea: `the hash of ${idea}`, bytes: Buffer.from(sha256Hex(text)) },
    { idea: `the bytes of ${idea}`, bytes: Buffer.from(text, "base64url") },
    { idea: `the bytes of ${idea} from hex`, bytes: Buffer.from(text, "hex") },
  ];
}

/** The headers of JWTs that somebody would like to be taken for a session's, with a signature of each kind that can be had. */
export function forgeTokens(loot: Loot, claims: Readonly<Record<string, unknown>>): Forgery[] {
  const [published = {}] = loot.publicKeys;
  const own = ed25519Key(Buffer.alloc(32, 7));
  const ownJwk = createPublicKey(own).export({ format: "jwk" });
  const byHmac = publicForms(loot).map(({ idea, bytes }) =>
    jwt(`HS256 under ${idea}`, { alg: "HS256" }, claims, (text) =>
      createHmac("sha256", bytes).update(text).digest(),
    ),
  );
  const bySeed = guessedKeys(loot, {}).flatMap(({ idea, bytes }) =>
    bytes.length === 32
      ? [
          jwt(`EdDSA of the seed ${idea}`, { alg: "EdDSA" }, claims, (text) =>
            sign(null, Buffer.from(text), ed25519Key(bytes)),
          ),
        ]
      : [],
  );
  const signOwn = (text: string) => sign(null, Buffer.from(text), own);
  const nothing = () => Buffer.alloc(0);
  return [
    jwt("no algorithm", { alg: "none" }, claims, nothing),
    jwt("no algorithm, in capitals", { alg: "None" }, claims, nothing),
    jwt("no signature", { alg: "EdDSA" }, claims, nothing),
    jwt("64 noughts", { alg: "EdDSA" }, claims, () => Buffer.alloc(64)),
    jwt("a key of its own in the header", { alg: "EdDSA", jwk: ownJwk }, claims, signOwn),
    jwt("another's key id", { alg: "EdDSA", kid: published["kid"] }, claims, signOwn),
    jwt("a critical header", { alg: "EdDSA", crit: ["b64"], b64: false }, claims, signOwn),
    ...byHmac,
    ...bySeed,
  ];
}

function jwt(
  idea: string,
  header: object,
  claims: object,
  signatureOf: (text: string) => Buffer,
): Forgery {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ typ: "at+jwt", ...header })}.${encode({ jti: randomUUID(), ...claims })}`;
  return { idea, text: `${text}.${signatureOf(text).toString("base64url")}` };
}

/** What GCM would decrypt if nobody asked for its tag: its counter starts at two. */
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
