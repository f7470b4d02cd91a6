import { STYLESHEET_URL } from "./page-assets.ts";

/** Escaped markup. Only the `html` template tag creates it. */
export interface Html {
  readonly markup: string;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" } as const;

type Value = string | Html | readonly Html[];

/**
 * A template tag that escapes strings for use in element content and quoted attributes. `Html` values are inserted
 * unchanged.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = literals.reduce(
    (markupSoFar, literal, index) => markupSoFar + markupOf(values[index - 1] ?? "") + literal,
  );
  return { markup };
}

function markupOf(value: Value): string {
  if (typeof value === "string") return escapeText(value);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

const LOGO = html`<svg xmlns="http://www.w3.org/2000/svg" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><circle cx="13" cy="13" r="13" fill="#4263eb"/><path d="M9 6.5h5a4.75 4.75 0 0 1 0 9.5h-2.4v4H9zm2.6 2.4v4.7H14a2.35 2.35 0 0 0 0-4.7z" fill="#fff"/></svg>`;

/** The first line of Purser's own pages. */
export const BRAND = html`<p class="brand">${LOGO} Purser <small>Sandbox</small></p>`;

/** The icon of Purser's own pages. Their policies allow data images. */
export const ICON = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(LOGO.markup)}">`;

/** Returns a page. `body` is the body element. */
export function pageOf(title: string, body: Html, head: Value = []): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${STYLESHEET_URL}">
    ${head}
  </head>
  ${body}
</html>
`.markup;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character as keyof typeof ESCAPES]);
}
