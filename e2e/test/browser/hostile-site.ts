import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type HostileSite = Awaited<ReturnType<typeof startHostileSite>>;

/** Starts an attacker's site. Every URL serves the page that was last passed to `put`. */
export async function startHostileSite() {
  let markup = "";
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><title>Kittens</title>${markup}`);
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** An origin on the same site as Purser. The browser sends `SameSite=Strict` cookies to Purser. */
    sameSite: `http://127.0.0.1:${port}`,
    /** An origin on a different site. The browser does not send `SameSite=Strict` cookies to Purser. */
    crossSite: `http://localhost:${port}`,
    put: (page: string) => {
      markup = page;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns a form that submits itself when the page loads. */
export function selfSubmittingForm(
  action: string,
  fields: Readonly<Record<string, string>>,
  enctype = "application/x-www-form-urlencoded",
): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${escapeAttribute(name)}" value="${escapeAttribute(value)}">`,
  );
  return `<form method="post" action="${escapeAttribute(action)}" enctype="${enctype}">${inputs.join("")}</form>
<script>document.forms[0].submit()</script>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
