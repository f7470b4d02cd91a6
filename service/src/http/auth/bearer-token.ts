import type { FastifyRequest } from "fastify";
import { countHeader, singleHeader } from "./request-headers.ts";

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

export interface PresentedToken {
  readonly token: string;
  /**
   * True if the token came in a cookie. The request must then pass `isSameOrigin`, because browsers also send cookies
   * with requests from other sites.
   */
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
