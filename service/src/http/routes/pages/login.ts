import type { App } from "../../../app.ts";
import { escapeHtml } from "../../../foundation/escape-html.ts";
import type { Server } from "../../route.ts";
import { htmlPage, PAGE_HEADERS } from "./html-page.ts";

/** Where the link of a verification mail ends: what has happened to the address, and what comes next. */
export function loginPageRoute(server: Server, app: App): void {
  const texts = pagesFor(app.settings.publicUrl);
  server.route({
    method: ["GET", "HEAD"],
    url: "/login",
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) =>
      reply.headers(PAGE_HEADERS).send(texts[verdictOf(request.query)]),
  });
}

type Verdict = "verified" | "refused" | "none";

function verdictOf(query: unknown): Verdict {
  const named = typeof query === "object" && query !== null ? Reflect.get(query, "verified") : "";
  if (named === "1") return "verified";
  return named === "0" ? "refused" : "none";
}

function pagesFor(publicUrl: string): Readonly<Record<Verdict, string>> {
  const api = escapeHtml(`${publicUrl}/api/v1/svc/developers`);
  const firstKey = `<p>Log in for an access token, then register for the first key pair. The secret is shown once.</p>
<pre><code>curl ${api}/login \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}'

curl -X POST ${api}/register \\
  -H "authorization: Bearer $ACCESS_TOKEN"</code></pre>
<p>The <a href="/docs">API reference</a> tells the rest.</p>`;
  const newMail = `<pre><code>curl ${api}/resend-verification \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com"}'</code></pre>`;
  return {
    verified: htmlPage(
      "Your email address is verified",
      `<p>Your account is active.</p>\n${firstKey}`,
    ),
    refused: htmlPage(
      "This link does not work",
      `<p>It was used before, it is older than 24 hours, or it was not copied whole. If your address is verified already, just log in. Otherwise have another mail sent:</p>\n${newMail}`,
    ),
    none: htmlPage(
      "Log in to Purser",
      `<p>Purser keeps the money and the provisions of software agents. Developers log in through the API or an SDK.</p>
${firstKey}
<p>If your address was never verified, have another mail sent:</p>
${newMail}`,
    ),
  };
}
