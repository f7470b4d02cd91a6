import type { FastifyInstance, FastifyReply } from "fastify";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Rejects requests whose host name is not loopback. Otherwise a web page could read this server's data with DNS
 * rebinding.
 */
export function requireLoopbackHost(server: FastifyInstance, reject: (reply: FastifyReply) => FastifyReply): void {
  server.addHook("onRequest", async (request, reply) => {
    if (!LOOPBACK_NAMES.has(request.hostname)) await reject(reply);
  });
}
