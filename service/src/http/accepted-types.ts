import type { FastifyRequest } from "fastify";
import { singleHeader } from "./auth/request-headers.ts";

/**
 * Returns true if the Accept header lists the media type with a nonzero quality. Wildcards such as `text/*` do not
 * count.
 */
export function acceptsMediaType(request: FastifyRequest, mediaType: "text/html" | "application/json"): boolean {
  return singleHeader(request, "accept")
    .toLowerCase()
    .split(",")
    .some((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      return type === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
    });
}
