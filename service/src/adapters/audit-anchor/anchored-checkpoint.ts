import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TenantId } from "../../foundation/ids.ts";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import type { SignedCheckpoint } from "../../ports/audit-anchor.ts";

const checkpointForm = Compile(
  Type.Object({
    tenantId: Type.Unsafe<TenantId>(Type.String()),
    chain: Type.Enum([...AUDIT_CHAINS]),
    sequence: Type.Integer(),
    headHash: Type.String(),
    time: Type.String(),
    prevCheckpointHash: Type.String(),
    checkpointHash: Type.String(),
    keyId: Type.String(),
    signature: Type.String(),
  }),
);

/**
 * Parses a checkpoint that an audit anchor stores as JSON. Returns undefined if the text is not a checkpoint. Does not
 * verify the signature.
 */
export function parseCheckpoint(text: string): SignedCheckpoint | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return checkpointForm.Check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
