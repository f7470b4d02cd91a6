import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

const FONT = new URL(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));

/** No vendor has paths below `/sandbox`. */
export const STYLESHEET_URL = "/sandbox/page.css";

/** Adds the style sheet of a server's pages, and its font. */
export function addStylesheet(server: FastifyInstance): void {
  server.get(STYLESHEET_URL, async (_request, reply) => reply.type("text/css").send(STYLESHEET));
  server.get("/sandbox/inter.woff2", async (_request, reply) => reply.type("font/woff2").send(await readFile(FONT)));
}

/** The style sheet of all pages. Its colours are those of the dashboard, in the system's light or dark colour scheme. */
export const STYLESHEET = `
@font-face { font-family: "Inter Variable"; src: url(inter.woff2); font-weight: 100 900; font-display: swap; }
:root {
  color-scheme: light dark;
  --page: light-dark(#f8f9fa, #242424);
  --card: light-dark(#ffffff, #2e2e2e);
  --raised: light-dark(#f1f3f5, #3b3b3b);
  --line: light-dark(#dee2e6, #424242);
  --field: light-dark(#868e96, #828282);
  --text: light-dark(#212529, #d5d5d5);
  --quiet: light-dark(#495057, #b8b8b8);
  --link: light-dark(#3b5bdb, #91a7ff);
  --brand: #3b5bdb;
  --mono: .875em/1.6 ui-monospace, SFMono-Regular, Menlo, monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; overflow-wrap: anywhere;
  background: var(--page); color: var(--text); font: 1rem/1.5 "Inter Variable", system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; font-weight: 650; }
h3 { margin: 1.5rem 0 .5rem; font-size: .875rem; color: var(--quiet); }
p { margin: .25rem 0 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: var(--mono); }
time { font-size: .875rem; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .75rem 0 1rem; }
.quiet { color: var(--quiet); font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--quiet); }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 700; }
.brand small { padding: .0625rem .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .75rem; font-weight: 600; color: var(--quiet); }
.mark { width: 1.75rem; border-radius: .375rem; background: var(--brand); color: #fff; text-align: center; line-height: 1.75rem; }
[data-vendor="Bridge"] { --brand: #6d28d9; }
[data-vendor="GitHub"] { --brand: #1a7f37; }
[data-vendor="Google"] { --brand: #1a73e8; }
[data-vendor="Plaid"] { --brand: #495057; }
[data-vendor="Stripe"] { --brand: #635bff; }
[data-vendor="Supabase"] { --brand: #0f7a4d; }

button {
  padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: #fff; background: var(--brand); border: 1px solid var(--brand); border-radius: .5rem;
}
button:hover { background: color-mix(in srgb, var(--brand), #000 12%); }
button ~ button { color: inherit; background: none; border-color: var(--field); }
button ~ button:hover { background: var(--raised); }
label { font-weight: 600; font-size: .875rem; }
input, select {
  min-width: 0; max-width: 100%; padding: .5rem .75rem; font: inherit; font-size: 1rem; font-weight: 400;
  color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: .5rem;
}
.filter { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.5rem 0 1rem; align-items: center; }
.filter.card { margin: 0; padding: 1rem; align-items: end; }
.filter.card label { display: grid; gap: .25rem; }
.filter [type="email"] { flex: 1 1 14rem; }
.filter [name="times"] { width: 5rem; }

/* A page with one card in the middle. */
.single { max-width: 30rem; padding-top: clamp(1.5rem, 8vh, 5rem); }
.single main {
  padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; box-shadow: 0 1px 3px #0000000d, 0 8px 24px #0000000d;
}
.single main > * + * { margin-top: .75rem; }
.single form { display: grid; gap: .75rem; margin: 1.25rem 0 0; }
.single label { display: block; }
.single input:not([type="radio"], [type="checkbox"]), .single select { display: block; width: 100%; margin-top: .25rem; }
.single button { width: 100%; padding: .625rem 1rem; }
fieldset { display: grid; gap: .5rem; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0 0 .5rem; font-weight: 650; }
fieldset label:has([type="radio"]) {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .75rem; align-items: center; padding: .5rem .75rem;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer;
}
fieldset label:has([type="radio"]:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }
input { accent-color: var(--link); }
fieldset label .quiet { grid-column: 2; }
fieldset .quiet, label:has([type="checkbox"]) { font-weight: 400; }

.mails { list-style: none; margin: 0; padding: 0; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem;
  padding: .75rem 1rem; color: inherit; text-decoration: none;
}
.mails a:hover { background: var(--raised); }
.mails a:focus-visible { outline-offset: -2px; }
.mails .subject { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mails .people { grid-column: 1 / -1; font-size: .875rem; color: var(--quiet); }

dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1.25rem; margin: 1rem 0 0; font-size: .875rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
.links { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.links a { display: block; padding: .75rem 1rem; border-radius: .5rem; text-decoration: none; background: #3b5bdb; color: #fff; }
.links a:hover { background: #364fc7; }
.links strong { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.links span { font-size: .8125rem; }
pre { margin: 0; padding: 1rem; white-space: pre-wrap; font: var(--mono); }
iframe { display: block; width: 100%; height: 22rem; resize: vertical; background: #fff; color-scheme: light; }

.vendor { margin-top: .5rem; }
.vendor > summary { margin: 0; padding: .75rem 1rem; }
.vendor > div { padding: 0 1rem 1rem; }
.vendor h2 { display: inline; }
summary { margin-top: .5rem; cursor: pointer; }
.values { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); padding: 1rem; margin: 0; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .5rem 1rem; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
tr + tr td { border-top: 1px solid var(--line); }
td { overflow-wrap: normal; }

@media (max-width: 36rem) {
  .mails a, .values { grid-template-columns: minmax(0, 1fr); }
  .mails .subject { white-space: normal; }
  .filter.card { display: grid; }
}
`;

/**
 * Unfolds the vendor that the URL's fragment names. Refreshes the `data-live` parts of a page every two seconds, unless
 * a `details` element in one of them is open. The forms are outside these parts, so they keep their input.
 */
export const REFRESH_SCRIPT = `
const unfold = () => {
  const vendor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!vendor) return;
  vendor.closest("details").open = true;
  vendor.parentElement.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
setInterval(async () => {
  if (document.hidden || document.querySelector("[data-live] details[open]")) return;
  try {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const shown of document.querySelectorAll("[data-live]")) {
      const current = page.getElementById(shown.id);
      if (current && shown.innerHTML !== current.innerHTML) shown.innerHTML = current.innerHTML;
    }
  } catch {
    // The server is not running. The next interval retries.
  }
}, 2000);
`;
