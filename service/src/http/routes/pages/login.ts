import { hash } from "node:crypto";
import type { App } from "../../../app.ts";
import { escapeHtml } from "../../../foundation/escape-html.ts";
import type { Server } from "../../route.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --faint: #f2f3f5; --line: #d5d8dd }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --paper: #16181b; --faint: #1f2226; --line: #3a3e45 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.25 }
pre { overflow-x: auto; padding: 1rem; background: var(--faint); border: 1px solid var(--line); border-radius: .5rem; font-size: .875rem }
code { font-family: ui-monospace, monospace }
a { color: inherit }
`;

/** Nothing runs here and nothing is fetched: the page is its text and this one style. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Where the link of a verification mail ends: what has happened to the address, and what comes next. */
export function loginPageRoute(server: Server, app: App): void {
  const texts = pagesFor(app.settings.publicUrl);
  server.route({
    method: ["GET", "HEAD"],
    url: "/login",
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) =>
      reply
        .headers({
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": POLICY,
          "referrer-policy": "no-referrer",
        })
        .send(texts[verdictOf(request.query)]),
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
    verified: page("Your email address is verified", `<p>Your account is active.</p>\n${firstKey}`),
    refused: page(
      "This link does not work",
      `<p>It was used before, it is older than 24 hours, or it was not copied whole. If your address is verified already, just log in. Otherwise have another mail sent:</p>\n${newMail}`,
    ),
    none: page(
      "Log in to Purser",
      `<p>Purser keeps the money and the provisions of software agents. Developers log in through the API or an SDK.</p>
${firstKey}
<p>If your address was never verified, have another mail sent:</p>
${newMail}`,
    ),
  };
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Purser</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
