import { hash } from "node:crypto";
import { escapeHtml } from "../../../foundation/text.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --faint: #f2f3f5; --line: #d5d8dd }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --paper: #16181b; --faint: #1f2226; --line: #3a3e45 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25 }
pre { overflow-x: auto; padding: 1rem; background: var(--faint); border: 1px solid var(--line); border-radius: .5rem; font-size: .875rem }
code { font-family: ui-monospace, monospace }
a { color: inherit }
label, input, button { display: block; font: inherit }
input, button { margin: .5rem 0 1rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--faint); color: inherit }
input { width: 100%; box-sizing: border-box }
button.primary { border-color: #1a56c4; background: #1a56c4; color: #fff }
input[type=checkbox] { display: inline; width: auto; margin-right: .5rem }
dt { font-weight: 600 }
dd { margin: 0 0 .75rem }
form.decision { position: sticky; bottom: 0; display: flex; gap: .75rem; padding: .25rem 0; background: var(--paper) }
form.decision button { flex: 1; margin: .5rem 0; padding: .75rem }
[role=alert] { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
`;

/**
 * Returns a Content-Security-Policy that allows only the page's own style and icon: no scripts, no other requests, no
 * framing.
 */
function policy(formAction: "'none'" | "'self'", ...more: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
    // The icon.
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    ...more,
  ].join("; ");
}

const LOCAL_TIMES = `
for (const time of document.querySelectorAll("time")) {
  const options = { dateStyle: "medium", timeStyle: "long" };
  time.append(" (" + new Date(time.dateTime).toLocaleString([], options) + ")");
}
`;

/** Adds the visitor's local time to each time of a page. Without scripts, the page shows UTC only. */
export const LOCAL_TIMES_SCRIPT = `<script>${LOCAL_TIMES}</script>`;

/** The headers of a page without a form. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy("'none'"),
  "referrer-policy": "no-referrer",
} as const;

/**
 * The headers of a page with a form that can be submitted to Purser only. With `no-referrer`, a browser would send
 * `Origin: null` with the form, which the same-origin check rejects. `same-origin` still hides the page's URL from
 * other sites.
 */
export const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": policy("'self'"),
  "referrer-policy": "same-origin",
} as const;

/** The headers of a page with a form and with `LOCAL_TIMES_SCRIPT`. */
export const TIMED_FORM_PAGE_HEADERS = {
  ...FORM_PAGE_HEADERS,
  "content-security-policy": policy("'self'", `script-src 'sha256-${hash("sha256", LOCAL_TIMES, "base64")}'`),
} as const;

/** Returns an HTML page. Both arguments are HTML, so the caller must escape values in them. */
export function htmlPage(title: string, body: string): string {
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

/** Returns an alert to show above a form, or an empty string. `text` is plain text. */
export function alertHtml(text = ""): string {
  return text === "" ? "" : `<p role="alert">${escapeHtml(text)}</p>\n`;
}

/** Returns the time in UTC. */
export function timeHtml(at: Date): string {
  const text = at.toISOString();
  return `<time datetime="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`;
}
