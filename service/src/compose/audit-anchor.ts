import { createFileAuditAnchor } from "../adapters/file-audit-anchor.ts";
import { createS3AuditAnchor } from "../adapters/s3-audit-anchor.ts";
import type { AuditAnchorConfig } from "../config/audit-anchor.ts";
import type { Clock } from "../foundation/clock.ts";
import type { AuditAnchor } from "../ports/audit-anchor.ts";

/** The place outside the database where checkpoints are remembered, as the configuration names it. */
export function composeAuditAnchor(anchor: AuditAnchorConfig, clock: Clock): AuditAnchor {
  return anchor.kind === "s3"
    ? createS3AuditAnchor({ ...anchor, clock })
    : createFileAuditAnchor(anchor);
}
