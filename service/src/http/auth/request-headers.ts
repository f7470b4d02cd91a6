import type { FastifyRequest } from "fastify";

/** Returns how many times a header was sent. Node joins or drops repeated headers, so the raw headers are counted. */
export function countHeader(request: FastifyRequest, name: string): number {
  const { headers, rawHeaders } = request.raw;
  if (headers[name] === undefined) return 0;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    // Comparing the lengths first avoids lowercasing every header of every request.
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Returns the header's value, or an empty string if it is missing. */
export function singleHeader(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

interface PresentedToken {
  readonly token: string;
  readonly byCookie: boolean;
}

/**
 * Returns the JWT from the Authorization header, or from the cookie if there is no header. Returns undefined if there
 * is no JWT or the header is repeated.
 */
export function presentedToken(request: FastifyRequest, cookie: string | undefined): PresentedToken | undefined {
  if (countHeader(request, "authorization") > 1) return undefined;
  const header = singleHeader(request, "authorization");
  const byCookie = header === "";
  const token = byCookie ? cookie : BEARER.exec(header)?.[1];
  return token === undefined ? undefined : { token, byCookie };
}
