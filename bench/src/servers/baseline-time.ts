import { serveParent } from "../server-process.ts";
import { listenOnLoopback, sendJson } from "./listen.ts";

/** Baseline for `GET /time`: the smallest server that sends the same response. */
serveParent(() =>
  listenOnLoopback((_request, response) => {
    const now = new Date();
    sendJson(response, 200, { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() });
  }),
);
