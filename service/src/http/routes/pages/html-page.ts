import { hash } from "node:crypto";
import { escapeHtml } from "../../../foundation/text.ts";

/** The mark of Purser, as in the dashboard: a coin with the letter P. */
export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><circle cx="13" cy="13" r="13" fill="#4263eb"/><path d="M9 6.5h5a4.75 4.75 0 0 1 0 9.5h-2.4v4H9zm2.6 2.4v4.7H14a2.35 2.35 0 0 0 0-4.7z" fill="#fff"/></svg>`;

/** The colours are those of the dashboard. */
const STYLE = `
@font-face { font-family: "Inter Variable"; src: url(/inter.woff2); font-weight: 100 900; font-display: swap }
:root { color-scheme: light dark; --page: light-dark(#f8f9fa, #242424); --card: light-dark(#fff, #2e2e2e); --faint: light-dark(#f1f3f5, #242424); --line: light-dark(#dee2e6, #424242); --field: light-dark(#868e96, #828282); --text: light-dark(#212529, #d5d5d5); --quiet: light-dark(#495057, #b8b8b8); --link: light-dark(#3b5bdb, #91a7ff) }
*, ::before { box-sizing: border-box }
body { margin: 0 auto; max-width: 36rem; padding: clamp(1.5rem, 8vh, 5rem) 1rem 3rem; background: var(--page); color: var(--text); font: 1rem/1.55 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere }
header { display: flex; align-items: center; gap: .625rem; margin: 0 .25rem 1.25rem; font-size: 1.125rem; font-weight: 700 }
main { padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--card); border: 1px solid var(--line); border-radius: .75rem; box-shadow: 0 1px 3px #0000000d, 0 8px 24px #0000000d }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650 }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; font-weight: 650 }
p { margin: 0 0 1rem }
h2 + p, main > :last-child { margin-bottom: 0 }
.quiet { color: var(--quiet); font-size: .875rem }
code, pre { font: .875em/1.6 ui-monospace, SFMono-Regular, Menlo, monospace }
pre { margin: .5rem 0 1.5rem; padding: 1rem; white-space: pre-wrap; background: var(--faint); border: 1px solid var(--line); border-radius: .5rem; font-size: .8125rem }
a { color: var(--link) }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
label { font-weight: 600; font-size: .875rem }
input, button { display: block; width: 100%; padding: .625rem .875rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
input { margin: .375rem 0 1rem }
button { font-weight: 600; cursor: pointer }
button:hover { background: var(--faint) }
button.primary { border-color: #3b5bdb; background: #3b5bdb; color: #fff }
button.primary:hover { background: #364fc7 }
form { margin: 0 0 1rem }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; margin: 0 0 1rem }
dt, dd { margin: 0; padding: .5rem 0; border-top: 1px solid var(--line) }
dt { padding-right: 1rem; color: var(--quiet); font-size: .875rem; line-height: 1.775 }
ul { margin: 0; padding: 0; list-style: none }
form.decision { position: sticky; bottom: 0; display: flex; gap: .75rem; margin: 0; padding: .75rem 0; background: var(--card); box-shadow: 0 -1px var(--line) }
[role=alert] { padding: .75rem 1rem; background: light-dark(#fff5f5, #3c2626); border: 1px solid light-dark(#ffc9c9, #6b2b2b); border-radius: .5rem }
@media (max-width: 30rem) { dl { display: block } dd { padding-top: 0; border: 0 } dt { padding-bottom: 0 } }
`;

/**
 * Returns a Content-Security-Policy that allows only the page's own style, font and icon: no scripts, no other requests, no
 * framing.
 */
function policy(formAction: "'none'" | "'self'", ...more: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
    "font-src 'self'",
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
<header>${LOGO} Purser</header>
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
