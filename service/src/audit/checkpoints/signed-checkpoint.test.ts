import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createStatementSigner } from "../../crypto/statement-signer.ts";
import { hasValidSignature, signCheckpoint } from "./signed-checkpoint.ts";

const newSigner = () =>
  createStatementSigner(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());

const signer = newSigner();
const statement = {
  tenantId: "dev_01",
  chain: "tenant",
  sequence: 42,
  headHash: "a".repeat(64),
  time: "2026-11-21T10:00:00.000Z",
  prevCheckpointHash: "b".repeat(64),
} as const;

describe("a checkpoint", () => {
  it("has the SHA-256 of its canonical JSON as its hash", () => {
    const canonical = `{"chain":"tenant","head_hash":"${"a".repeat(64)}","prev_checkpoint_hash":"${"b".repeat(64)}","sequence":42,"tenant_id":"dev_01","time":"2026-11-21T10:00:00.000Z"}`;
    const checkpoint = signCheckpoint(signer, statement);

    expect(checkpoint).toMatchObject({ ...statement, keyId: signer.keyId });
    expect(checkpoint.checkpointHash).toBe(createHash("sha256").update(canonical).digest("hex"));
  });

  it("valid signature: the checkpoint is unchanged", () => {
    expect(hasValidSignature(signer, signCheckpoint(signer, statement))).toBe(true);
  });

  it.each([
    ["tenant", { tenantId: "dev_02" }],
    ["chain", { chain: "provider_keys" }],
    ["sequence", { sequence: 43 }],
    ["head", { headHash: "c".repeat(64) }],
    ["time", { time: "2026-11-21T10:00:00.001Z" }],
    ["previous checkpoint", { prevCheckpointHash: "c".repeat(64) }],
    ["hash", { checkpointHash: "c".repeat(64) }],
    ["key", { keyId: newSigner().keyId }],
    ["signature", { signature: signer.sign("another text") }],
  ] as const)("invalid signature: the %s was changed", (_, changed) => {
    const checkpoint = { ...signCheckpoint(signer, statement), ...changed };

    expect(hasValidSignature(signer, checkpoint)).toBe(false);
  });

  it("invalid signature: the checkpoint has this server's key id but was signed with another key", () => {
    const checkpoint = { ...signCheckpoint(newSigner(), statement), keyId: signer.keyId };

    expect(hasValidSignature(signer, checkpoint)).toBe(false);
  });
});
