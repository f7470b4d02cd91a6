import { serveParent } from "../server-process.ts";
import { listenBare, sendJson } from "./listen.ts";

/** The least that answers what `GET /time` answers. */
serveParent(() =>
  listenBare((_request, response) => {
    const now = new Date();
    sendJson(response, 200, { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() });
  }),
);
