import { Compile } from "typebox/compile";
import { SignedCheckpoint } from "../../ports/audit-anchor.ts";

const checkpointForm = Compile(SignedCheckpoint);

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
