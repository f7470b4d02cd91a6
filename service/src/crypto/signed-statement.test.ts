import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signStatement } from "./signed-statement.ts";
import { createStatementSigner } from "./statement-signer.ts";

const signer = createStatementSigner(
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
);

describe("signStatement", () => {
  it("hashes the canonical JSON and signs the domain and the hash", () => {
    const { hash, signature, alg, kid } = signStatement(signer, "purser-example-v1", {
      b: "2",
      a: ["1", null],
    });

    expect(hash).toBe(createHash("sha256").update('{"a":["1",null],"b":"2"}').digest("hex"));
    expect({ alg, kid }).toEqual({ alg: "ed25519", kid: signer.keyId });
    expect(signer.verify(`purser-example-v1\n${hash}`, { keyId: kid, signature })).toBe(true);
  });

  it("a signature of one domain is not valid for another, or for the hash alone", () => {
    const { hash, signature, kid } = signStatement(signer, "purser-example-v1", { a: "1" });

    expect(signer.verify(`purser-other-v1\n${hash}`, { keyId: kid, signature })).toBe(false);
    expect(signer.verify(hash, { keyId: kid, signature })).toBe(false);
  });
});
