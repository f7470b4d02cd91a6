import { describe, expect, it } from "vitest";
import { canonicalJson, SignatureVerificationError, verifyFreezeProof } from "../src/index.ts";
import { newSigner, sha256 } from "./audit-chain.ts";

const signer = newSigner();
const jwks = { keys: [signer.jwk] };

const report = {
  wallet_id: "wal_01k",
  mode: "test",
  status: "frozen",
  freeze: { database: { frozen: true }, reason: "anomaly", frozen_at: "2026-11-23T10:00:00.000Z" },
  onchain: { status: "simulated", user_op_hash: null },
  blocked: { payments_canceled: 2, user_ops_dropped: 0, user_ops_already_mined: 0 },
};

function proofSignedBy(by: ReturnType<typeof newSigner>, domain = "purser-wallet-freeze-v1") {
  const decision_hash = sha256(canonicalJson({ ...report, revocation_id: "rev_01k" }));
  return {
    revocation_id: "rev_01k",
    decision_hash,
    signature: by.sign(`${domain}\n${decision_hash}`),
    alg: "ed25519",
    kid: by.keyId,
  };
}

const proof = proofSignedBy(signer);
const freeze = { ...report, proof };

describe("verifyFreezeProof", () => {
  it("passes: the response is as the server signed it", async () => {
    await expect(verifyFreezeProof(freeze, jwks)).resolves.toBeUndefined();
  });

  it.each([
    ["the wallet", { wallet_id: "wal_01m" }],
    ["the mode", { mode: "live" }],
    ["the status on the chain", { onchain: { status: "confirmed", user_op_hash: null } }],
    ["a count", { blocked: { ...report.blocked, payments_canceled: 3 } }],
    ["an added field", { extra: true }],
    ["the revocation's id", { proof: { ...proof, revocation_id: "rev_01m" } }],
    ["the hash", { proof: { ...proof, decision_hash: sha256("other") } }],
    ["the algorithm", { proof: { ...proof, alg: "none" } }],
    ["the key", { proof: proofSignedBy(newSigner()) }],
    ["the domain", { proof: proofSignedBy(signer, "purser-payment-receipt-v1") }],
  ])("fails: %s was changed", async (_, changed) => {
    await expect(verifyFreezeProof({ ...freeze, ...changed }, jwks)).rejects.toThrow(SignatureVerificationError);
  });
});
