import type { FastifyRequest } from "fastify";
import { countHeader, singleHeader } from "./request-headers.ts";

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

export interface PresentedToken {
  readonly token: string;
  /** Whether it came in a cookie, which browsers send along on anybody's behalf. */
  readonly byCookie: boolean;
}

/**
 * The JWT that a request presents: the header decides, and the cookie is looked at only where there is none. Undefined for a
 * request without one, and for one with a repeated header.
 */
export function presentedToken(
  request: FastifyRequest,
  cookie: string | undefined,
): PresentedToken | undefined {
  if (countHeader(request, "authorization") > 1) return undefined;
  const header = singleHeader(request, "authorization");
  const byCookie = header === "";
  const token = byCookie ? cookie : BEARER.exec(header)?.[1];
  return token === undefined ? undefined : { token, byCookie };
}
