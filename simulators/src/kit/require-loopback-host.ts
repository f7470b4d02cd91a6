import type { FastifyInstance, FastifyReply } from "fastify";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Rejects requests for host names other than loopback. This prevents DNS rebinding, with which a web page could read
 * this server's data.
 */
export function requireLoopbackHost(
  server: FastifyInstance,
  refuse: (reply: FastifyReply) => FastifyReply,
): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!LOOPBACK_NAMES.has(request.hostname)) await refuse(reply);
  });
}
