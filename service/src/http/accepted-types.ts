import type { FastifyRequest } from "fastify";
import { singleHeader } from "./auth/request-headers.ts";

/** Whether the client names a media type among what it takes, and not as what it refuses. Taking everything names none. */
export function acceptsByName(
  request: FastifyRequest,
  mediaType: "text/html" | "application/json",
): boolean {
  return singleHeader(request, "accept")
    .toLowerCase()
    .split(",")
    .some((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      return type === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
    });
}
