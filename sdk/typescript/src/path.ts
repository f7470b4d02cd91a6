import { PurserError } from "./errors.ts";

/**
 * Builds a path with encoded ids: `` path`/projects/${projectId}/env` ``.
 *
 * @throws PurserError if an id is empty, `.` or `..`, because the URL would then name another resource.
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
