import { PurserError } from "./errors.ts";

/**
 * A path with its ids encoded, as in `` path`/projects/${projectId}/env` ``.
 *
 * @throws PurserError for an id that is empty or a dot segment: it would name another resource than was meant.
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeSegment));
}

function encodeSegment(id: string): string {
  if (typeof id !== "string" || id === "" || id === "." || id === "..") {
    throw new PurserError(`${JSON.stringify(id)} is no id.`);
  }
  return encodeURIComponent(id);
}
