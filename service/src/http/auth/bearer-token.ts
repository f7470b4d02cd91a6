import type { FastifyRequest } from "fastify";
import { countHeader, singleHeader } from "./request-headers.ts";
import { refusal } from "./signed-request.ts";

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

export interface PresentedToken {
  readonly token: string;
  /** Whether it came in a cookie, which browsers send along on anybody's behalf. */
  readonly byCookie: boolean;
}

/**
 * The JWT that a request presents: the header decides, and the cookie is looked at only where there is none. Throws the 401
 * of a request that presents none.
 */
export function presentedToken(
  request: FastifyRequest,
  cookie: string | undefined,
): PresentedToken {
  if (countHeader(request, "authorization") > 1) throw refusal("authorization is there twice");
  const header = singleHeader(request, "authorization");
  const byCookie = header === "";
  const token = byCookie ? cookie : BEARER.exec(header)?.[1];
  if (token === undefined) throw refusal("no token");
  return { token, byCookie };
}
