import type { FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";
import { singleHeader } from "./request-headers.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Whether a request that came with a cookie was made by our own pages, as Go's CrossOriginProtection decides it (contract,
 * ruling 2): what the browser says of the site decides, else the origin it names; a client that says neither is no browser.
 */
export function isSameOrigin(request: FastifyRequest, { publicUrl }: Settings): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const site = singleHeader(request, "sec-fetch-site");
  if (site !== "") return site === "same-origin" || site === "none";
  const origin = singleHeader(request, "origin");
  return origin === "" || origin === publicUrl;
}
