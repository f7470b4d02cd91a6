import { serveParent } from "../server-process.ts";
import { listenOnLoopback, sendJson } from "./listen.ts";

/** The smallest server with the response of `GET /time`. */
serveParent(() =>
  listenOnLoopback((_request, response) => {
    const now = new Date();
    sendJson(response, 200, { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() });
  }),
);
