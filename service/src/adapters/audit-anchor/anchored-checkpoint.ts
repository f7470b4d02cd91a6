import { Compile } from "typebox/compile";
import { parseJson } from "../../foundation/text.ts";
import { SignedCheckpoint } from "../../ports/audit-anchor.ts";

const checkpointForm = Compile(SignedCheckpoint);

/**
 * Parses a checkpoint that an audit anchor stores as JSON. Returns undefined if the text is not a checkpoint. Does not
 * verify the signature.
 */
export function parseCheckpoint(text: string): SignedCheckpoint | undefined {
  const parsed = parseJson(text);
  return checkpointForm.Check(parsed) ? parsed : undefined;
}
