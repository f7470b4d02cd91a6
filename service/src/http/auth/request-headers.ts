import type { FastifyRequest } from "fastify";

/** How often the request carries a header. The platform joins or drops repetitions, so they are counted as they came. */
export function countHeader(request: FastifyRequest, name: string): number {
  const { headers, rawHeaders } = request.raw;
  if (headers[name] === undefined) return 0;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    // The length first: lower-casing every header of every request would cost more than the rest of this.
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The header's text, and the empty text where it is missing. */
export function singleHeader(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}
