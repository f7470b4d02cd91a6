import type { FastifyInstance } from "fastify";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import type { AgenticProviderShape } from "./agentic-options.ts";
import { RESOURCE, type Resource } from "./resources.ts";

/** Adds the API of the resources themselves, which accepts their current credentials: 200, otherwise 401. */
export function addServiceApi(
  server: FastifyInstance,
  { objects }: VendorContext,
  { credentialsOf }: AgenticProviderShape,
): void {
  server.get("/agentic/service", async ({ headers }, reply) => {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    const resources = await objects.list<Resource["data"]>(RESOURCE);
    const isAccepted = resources.some(({ id, data }) =>
      Object.values(credentialsOf({ id, secret: data.secret.value })).includes(token),
    );
    return reply.code(isAccepted ? 200 : 401).send({ accepted: isAccepted });
  });
}
