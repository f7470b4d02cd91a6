import type { FastifyRequest } from "fastify";
import { countHeader, singleHeader } from "./request-headers.ts";

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

export interface PresentedToken {
  readonly token: string;
  /** Whether a cookie carried it. Browsers send cookies with requests of other sites too. */
  readonly byCookie: boolean;
}

/**
 * Returns the JWT of the Authorization header, or of the cookie if there is no header. Returns undefined if there is none,
 * or if the header is repeated.
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
