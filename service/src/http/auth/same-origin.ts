import type { FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";
import { singleHeader } from "./request-headers.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Returns true if a request only reads, or does not come from a page of another origin (docs/rules/credentials.md).
 * Checks `Sec-Fetch-Site`, or `Origin` if that header is missing. A request without either header is accepted, because
 * it does not come from a browser. These are the rules of Go's `http.CrossOriginProtection`.
 */
export function isSameOrigin(request: FastifyRequest, { publicUrl }: Settings): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = singleHeader(request, "sec-fetch-site");
  if (site !== "") return site === "same-origin" || site === "none";
  const origin = singleHeader(request, "origin");
  return origin === "" || origin === publicUrl;
}
