import type { FastifyInstance, FastifyReply } from "fastify";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Refuses what was sent to another name: a page elsewhere could point its own name at this machine and read along. */
export function answerLoopbackOnly(
  server: FastifyInstance,
  refuse: (reply: FastifyReply) => FastifyReply,
): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!LOOPBACK_NAMES.has(request.hostname)) await refuse(reply);
  });
}
