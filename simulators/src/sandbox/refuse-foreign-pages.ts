import type { FastifyInstance } from "fastify";
import { problem } from "./problem.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** What a browser says of a request from our own page, or from its address bar. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * Refuses what a page from elsewhere has a browser post here. A browser names the page's origin with every post; scripts
 * and curl name none.
 */
export function refuseForeignPages(server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    if (SAFE_METHODS.has(request.method)) return;
    const { origin, "sec-fetch-site": site } = request.headers;
    const isOwn =
      (origin === undefined || origin === `http://${request.host}`) &&
      (site === undefined || OWN_SITES.has(site));
    if (!isOwn) await problem(reply, 403, "The sandbox is changed from its own page only.");
  });
}
