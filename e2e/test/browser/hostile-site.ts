import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type HostileSite = Awaited<ReturnType<typeof startHostileSite>>;

/** Somebody else's site, which answers every address with the page that was put there last. */
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
    /** Of another origin than ours, but of our site: cookies that are `SameSite=Strict` come along. */
    sameSite: `http://127.0.0.1:${port}`,
    /** Of another site. */
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

/** A form that sends itself as soon as it is seen. */
export function sendingItself(
  action: string,
  fields: Readonly<Record<string, string>>,
  enctype = "application/x-www-form-urlencoded",
): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${quoted(name)}" value="${quoted(value)}">`,
  );
  return `<form method="post" action="${quoted(action)}" enctype="${enctype}">${inputs.join("")}</form>
<script>document.forms[0].submit()</script>`;
}

function quoted(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
