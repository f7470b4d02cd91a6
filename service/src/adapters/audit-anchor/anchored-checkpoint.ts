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

/** A checkpoint as an anchor has it in JSON. Undefined for text that is none. Whether we signed it is not looked at. */
export function parseCheckpoint(text: string): SignedCheckpoint | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return checkpointForm.Check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
