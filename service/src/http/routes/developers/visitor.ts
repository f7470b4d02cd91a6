import type { FastifyRequest } from "fastify";
import type { Visitor } from "../../../foundation/visitor.ts";
import { networkOf } from "../../auth/client-network.ts";
import { singleHeader } from "../../auth/request-headers.ts";

const USER_AGENT_LENGTH_MAX = 300;

/** Who calls a public endpoint, as sessions and the audit trail note it. */
export function visitorOf(request: FastifyRequest): Visitor {
  const userAgent = singleHeader(request, "user-agent").slice(0, USER_AGENT_LENGTH_MAX);
  return {
    network: networkOf(request.ip),
    userAgent: userAgent === "" ? null : userAgent,
    requestId: request.id,
  };
}
