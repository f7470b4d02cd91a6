import type { TenantId } from "../src/foundation/ids.ts";
import type { SignedCheckpoint } from "../src/ports/audit-anchor.ts";

/**
 * Returns a checkpoint for tests of audit anchors. Its hashes and signature are placeholders, because anchors do not
 * verify them.
 */
export function checkpoint(sequence: number, tenantId: TenantId = "dev_one"): SignedCheckpoint {
  return {
    tenantId,
    chain: "tenant",
    sequence,
    headHash: `head ${sequence}`,
    time: "2026-11-21T10:00:00.000Z",
    prevCheckpointHash: "0".repeat(64),
    checkpointHash: `hash-of-${tenantId}-${sequence}`,
    keyId: "key",
    signature: "signature",
  };
}
