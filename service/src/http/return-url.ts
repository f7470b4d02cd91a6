import { invalidField } from "../foundation/errors.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the URL of a page to which a vendor sends a browser back. Throws `validation_error` unless it is an https URL, or an
 * http URL with a loopback host, without credentials.
 */
export function parseReturnUrl(pointer: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && LOOPBACK.has(url.hostname);
  const hasNoCredentials = url?.username === "" && url.password === "";
  const isAllowed = hasNoCredentials && (isLocal || url?.protocol === "https:");
  if (url !== undefined && isAllowed) return url.href;
  const detail = "must be an https URL, or an http URL with a loopback host, without credentials";
  throw invalidField(pointer, "not_allowed", detail);
}
