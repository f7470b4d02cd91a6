import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "./signing.ts";
import { createStatementSigner } from "./statement-signer.ts";

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

describe("a statement signer", () => {
  it("signs what anybody can check with the key that it shows", () => {
    const signer = createStatementSigner(newPem());
    const shown = createPublicKey({ format: "jwk", key: signer.publicJwk });

    const signature = Buffer.from(signer.sign("statement"), "base64url");

    expect(verify(null, Buffer.from("statement"), shown, signature)).toBe(true);
    expect(verify(null, Buffer.from("Statement"), shown, signature)).toBe(false);
  });

  it("shows the public half only, under the key's id", () => {
    const { keyId, publicJwk } = createStatementSigner(newPem());

    expect(Object.keys(publicJwk).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(keyId).toBe(sha256Hex(Buffer.from(publicJwk.x ?? "", "base64url")).slice(0, 16));
    expect(publicJwk).toMatchObject({ kid: keyId, alg: "EdDSA", crv: "Ed25519" });
  });

  it("takes its own signatures of that very text, and no others", () => {
    const signer = createStatementSigner(newPem());
    const signature = signer.sign("statement");
    const bytes = Buffer.from(signature, "base64url");
    const changed = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return flipped.toString("base64url");
    });
    const stranger = createStatementSigner(newPem()).sign("statement");

    expect(signer.verify("statement", signature)).toBe(true);
    for (const other of [...changed, stranger, "", "AAAA", signature.slice(0, -4)]) {
      expect(signer.verify("statement", other)).toBe(false);
    }
    expect(signer.verify("another statement", signature)).toBe(false);
  });

  it("is not made of any other kind of key", () => {
    expect(() => createStatementSigner(newPem("x25519"))).toThrow("not Ed25519");
    expect(() => createStatementSigner("no key")).toThrow();
  });
});
