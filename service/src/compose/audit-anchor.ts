import { createFileAuditAnchor } from "../adapters/audit-anchor/file-audit-anchor.ts";
import type { AuditAnchorConfig } from "../config/audit-anchor.ts";
import type { Clock } from "../foundation/clock.ts";
import type { AuditAnchor } from "../ports/audit-anchor.ts";

/** Creates the configured store for audit checkpoints: a file or an S3 bucket. */
export async function composeAuditAnchor(anchor: AuditAnchorConfig, clock: Clock): Promise<AuditAnchor> {
  if (anchor.kind !== "s3") return createFileAuditAnchor(anchor);
  const { createS3AuditAnchor } = await import("../adapters/audit-anchor/s3-audit-anchor.ts");
  return createS3AuditAnchor({ ...anchor, clock });
}
