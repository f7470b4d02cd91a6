import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problem.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Values of Sec-Fetch-Site for requests from the control page or the address bar. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * Rejects writes from pages of other origins (CSRF). Browsers send an Origin header with every POST. Scripts and curl
 * send none, so their requests are accepted.
 */
export function requireSameOrigin(server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    if (SAFE_METHODS.has(request.method)) return;
    const { origin, "sec-fetch-site": site } = request.headers;
    const isOwn =
      (origin === undefined || origin === `http://${request.host}`) && (site === undefined || OWN_SITES.has(site));
    if (!isOwn) await sendProblem(reply, 403, "Requests from pages of other origins are rejected.");
  });
}
