import { PurserError } from "./errors.ts";

/**
 * Builds a path and encodes the IDs in it: `` path`/projects/${projectId}/env` ``.
 *
 * @throws PurserError if an ID is empty, `.` or `..`, because the URL would then address a different resource.
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeSegment));
}

function encodeSegment(id: string): string {
  if (typeof id !== "string" || id === "" || id === "." || id === "..") {
    throw new PurserError(`${JSON.stringify(id)} is not an id.`);
  }
  return encodeURIComponent(id);
}
