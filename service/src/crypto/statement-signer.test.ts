import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "./signing.ts";
import { createStatementSigner, type StatementSigner } from "./statement-signer.ts";

function publicPemOf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: "spki", format: "pem" }).toString();
}

/** Returns the signing key's public key as the signer publishes it. */
function ownJwkOf({ publicJwks }: StatementSigner): JsonWebKey {
  const [own] = publicJwks;
  if (own === undefined) throw new Error("The signer publishes no key.");
  return own;
}

function newPem(type: "ed25519" | "x25519" = "ed25519"): string {
  const options = { privateKeyEncoding: { type: "pkcs8", format: "pem" } } as const;
  const pair =
    type === "ed25519"
      ? generateKeyPairSync("ed25519", {
          ...options,
          publicKeyEncoding: { type: "spki", format: "pem" },
        })
      : generateKeyPairSync("x25519", {
          ...options,
          publicKeyEncoding: { type: "spki", format: "pem" },
        });
  return pair.privateKey;
}

describe("createStatementSigner", () => {
  it("signatures verify with the published key", () => {
    const signer = createStatementSigner(newPem());
    const shown = createPublicKey({ format: "jwk", key: ownJwkOf(signer) });

    const signature = Buffer.from(signer.sign("statement"), "base64url");

    expect(verify(null, Buffer.from("statement"), shown, signature)).toBe(true);
    expect(verify(null, Buffer.from("Statement"), shown, signature)).toBe(false);
  });

  it("publishes only public keys, with their ids", () => {
    const signer = createStatementSigner(newPem());
    const { keyId } = signer;
    const publicJwk = ownJwkOf(signer);

    expect(Object.keys(publicJwk).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(keyId).toBe(sha256Hex(Buffer.from(publicJwk.x ?? "", "base64url")).slice(0, 16));
    expect(publicJwk).toMatchObject({ kid: keyId, alg: "EdDSA", crv: "Ed25519", use: "sig" });
  });

  it("verify: true only for a signature by the signing key of the same text", () => {
    const signer = createStatementSigner(newPem());
    const signature = signer.sign("statement");
    const bytes = Buffer.from(signature, "base64url");
    const changed = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return flipped.toString("base64url");
    });
    const foreign = createStatementSigner(newPem()).sign("statement");
    const { keyId } = signer;

    expect(signer.verify("statement", { keyId, signature })).toBe(true);
    for (const other of [...changed, foreign, "", "AAAA", signature.slice(0, -4)]) {
      expect(signer.verify("statement", { keyId, signature: other })).toBe(false);
    }
    expect(signer.verify("another statement", { keyId, signature })).toBe(false);
  });

  it("verify: true for signatures of other listed keys, all of which are published", () => {
    const before = newPem();
    const earlier = createStatementSigner(before);
    const signer = createStatementSigner(newPem(), [publicPemOf(before)]);
    const signature = earlier.sign("statement");

    expect(signer.verify("statement", { keyId: earlier.keyId, signature })).toBe(true);
    expect(signer.verify("statement", { keyId: signer.keyId, signature })).toBe(false);
    expect(earlier.verify("statement", { keyId: earlier.keyId, signature })).toBe(true);
    expect(signer.publicJwks.map(({ kid }) => kid)).toEqual([signer.keyId, earlier.keyId]);
    const own = signer.sign("statement");
    expect(earlier.verify("statement", { keyId: signer.keyId, signature: own })).toBe(false);
  });

  it("publishes the signing key once if it is also listed", () => {
    const pem = newPem();

    const signer = createStatementSigner(pem, [publicPemOf(pem), publicPemOf(pem)]);

    expect(signer.publicJwks.map(({ kid }) => kid)).toEqual([signer.keyId]);
  });

  it("throws: a key of another type", () => {
    expect(() => createStatementSigner(newPem("x25519"))).toThrow("not an Ed25519 key");
    expect(() => createStatementSigner("no key")).toThrow();
    expect(() => createStatementSigner(newPem(), [publicPemOf(newPem("x25519"))])).toThrow("not an Ed25519 key");
    expect(() => createStatementSigner(newPem(), [newPem()])).toThrow("not a public key");
  });
});
