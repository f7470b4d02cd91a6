import type { FastifyRequest } from "fastify";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { clientNetworkOf } from "../../auth/client-network.ts";
import { singleHeader } from "../../auth/request-headers.ts";

const USER_AGENT_LENGTH_MAX = 300;

export function clientInfoOf(request: FastifyRequest): ClientInfo {
  const userAgent = singleHeader(request, "user-agent").slice(0, USER_AGENT_LENGTH_MAX);
  return {
    network: clientNetworkOf(request.ip),
    userAgent: userAgent === "" ? null : userAgent,
    requestId: request.id,
  };
}
