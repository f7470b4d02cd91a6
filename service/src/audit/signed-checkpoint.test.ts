import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createStatementSigner } from "../crypto/statement-signer.ts";
import { isGenuine, signCheckpoint } from "./signed-checkpoint.ts";

const newSigner = () =>
  createStatementSigner(
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );

const signer = newSigner();
const statement = {
  tenantId: "dev_01",
  chain: "tenant",
  sequence: 42,
  headHash: "a".repeat(64),
  time: "2026-11-21T10:00:00.000Z",
  prevCheckpointHash: "b".repeat(64),
} as const;
const checkpoint = signCheckpoint(signer, statement);

describe("a checkpoint", () => {
  it("the SHA-256 of its canonical JSON: a statement is hashed", () => {
    const canonical = `{"chain":"tenant","head_hash":"${"a".repeat(64)}","prev_checkpoint_hash":"${"b".repeat(64)}","sequence":42,"tenant_id":"dev_01","time":"2026-11-21T10:00:00.000Z"}`;

    expect(checkpoint).toMatchObject({ ...statement, keyId: signer.keyId });
    expect(checkpoint.checkpointHash).toBe(createHash("sha256").update(canonical).digest("hex"));
  });

  it("genuine: it is as it was signed", () => {
    expect(isGenuine(signer, checkpoint)).toBe(true);
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
    ["signature", { signature: newSigner().sign(checkpoint.checkpointHash) }],
  ] as const)("not genuine: the %s is another", (_, changed) => {
    expect(isGenuine(signer, { ...checkpoint, ...changed })).toBe(false);
  });

  it("not genuine: another key of the same id has signed another statement", () => {
    const other = signCheckpoint(newSigner(), { ...statement, sequence: 43 });

    expect(isGenuine(signer, { ...other, keyId: signer.keyId })).toBe(false);
  });
});
