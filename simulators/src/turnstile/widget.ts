import type { FastifyInstance } from "fastify";
import { addStylesheet } from "../kit/page-assets.ts";
import { addScript, parentOf, sendPage } from "../kit/pages.ts";

/** Replaces Turnstile's script in the app: `render` with a callback, and `remove`. The widget is a page in a frame. */
const SCRIPT = `
(() => {
  const { origin } = new URL(document.currentScript.src);
  const widgets = new Map();
  const render = (node, { sitekey, action = "", callback }) => {
    if (!sitekey) throw new Error("render() needs a sitekey.");
    const frame = document.createElement("iframe");
    const receive = ({ source, origin: from, data }) => {
      if (source === frame.contentWindow && from === origin) callback(data);
    };
    frame.title = "Widget containing a security challenge";
    frame.src = origin + "/widget?" + new URLSearchParams({ action, parent: location.origin });
    addEventListener("message", receive);
    node.append(frame);
    const id = crypto.randomUUID();
    widgets.set(id, () => {
      removeEventListener("message", receive);
      frame.remove();
    });
    return id;
  };
  window.turnstile = { render, remove: (id) => widgets.get(id)?.() };
})();
`;

/** Runs in the frame. It asks nothing, and hands the app a token for its host and action. */
const FRAME_SCRIPT = `
const query = new URLSearchParams(location.search);
const parentOrigin = query.get("parent");
const token = ["sandbox", new URL(parentOrigin).hostname, query.get("action"), crypto.randomUUID()].join(":");
parent.postMessage(token, parentOrigin);
`;

/** Adds the script that replaces Turnstile's, and the page that it shows in a frame. */
export function addWidget(server: FastifyInstance): void {
  addStylesheet(server);
  addScript(server, "/turnstile/v0/api.js", SCRIPT);
  addScript(server, "/widget.js", FRAME_SCRIPT);
  server.get<{ Querystring: Record<string, unknown> }>("/widget", async ({ query }, reply) => {
    const parent = parentOf(query);
    if (parent === null) return reply.status(404).send();
    return sendPage(reply, "Turnstile, simulated", [], { frame: { parent, script: "/widget.js" } });
  });
}
