import { sha256Hex } from "../../crypto/signing.ts";
import type { StatementSigner } from "../../crypto/statement-signer.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { SignedCheckpoint } from "../../ports/audit-anchor.ts";

type Statement = Omit<SignedCheckpoint, "checkpointHash" | "keyId" | "signature">;

export function signCheckpoint(signer: StatementSigner, statement: Statement): SignedCheckpoint {
  const checkpointHash = checkpointHashOf(statement);
  const signature = signer.sign(checkpointHash);
  return { ...statement, checkpointHash, keyId: signer.keyId, signature };
}

/** Returns true if the checkpoint has a valid signature by the current signing key or an earlier one. */
export function hasValidSignature(signer: StatementSigner, checkpoint: SignedCheckpoint): boolean {
  const { checkpointHash } = checkpoint;
  return checkpointHashOf(checkpoint) === checkpointHash && signer.verify(checkpointHash, checkpoint);
}

/** Returns the lowercase hex SHA-256 of the statement's canonical JSON. */
function checkpointHashOf(statement: Statement): string {
  return sha256Hex(
    canonicalJson({
      tenant_id: statement.tenantId,
      chain: statement.chain,
      sequence: statement.sequence,
      head_hash: statement.headHash,
      time: statement.time,
      prev_checkpoint_hash: statement.prevCheckpointHash,
    }),
  );
}
