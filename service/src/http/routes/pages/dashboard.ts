import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Widget } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { escapeHtml } from "../../../foundation/text.ts";
import type { Route } from "../../route.ts";
import { ASSET_HEADERS, builtFiles } from "./built-files.ts";
import { htmlPage, PAGE_HEADERS } from "./html-page.ts";
import { asset, page, type Visit } from "./page.ts";

/** The built dashboard: `npm run build:dashboard` writes it. */
const DIST = join(import.meta.dirname, "../../../../../dashboard/dist");
const BUILT = builtFiles(DIST);

/** The build writes this text where a page's nonce belongs. */
const NONCE = "__CSP_NONCE__";

/** `dashboard/index.html` has this text where the public settings of the widgets belong. */
const WIDGETS = "__WIDGETS__";

/** The paths of the dashboard's screens. Its script reads the path and shows the screen. */
const DEVELOPER_PATHS = [
  "/login",
  "/login/code",
  "/login/forgot",
  "/login/reset",
  "/login/revoke-keys",
  "/signup",
  "/device",
  "/dashboard",
  "/dashboard/*",
];
const ADMIN_PATHS = ["/admin", "/admin/*"];

/** Serves the dashboard: one HTML file for all its paths, and the assets, which have a hash of their content in their names. */
export const dashboardRoutes: readonly Route[] = [
  ...DEVELOPER_PATHS.map((path) => page(path, (visit) => sendApp(visit, "index.html"))),
  ...ADMIN_PATHS.map((path) => page(path, (visit) => sendApp(visit, "admin.html"))),
  asset("/assets/:file", sendAsset),
  // The font of the other pages. Its name in the build has a hash, which their fixed style cannot name.
  asset("/inter.woff2", async ({ reply }) => {
    const names = await readdir(join(DIST, "assets")).catch(() => []);
    const file = names.find((name) => name.startsWith("inter-latin-wght-"));
    if (file === undefined) throw new AppError("not_found");
    return reply.header("cache-control", "max-age=3600").redirect(`/assets/${file}`, 302);
  }),
];

async function sendApp({ app, reply }: Visit, file: "index.html" | "admin.html") {
  if (!(await BUILT.has(file))) return reply.code(503).headers(PAGE_HEADERS).send(missingPage);
  const html = await BUILT.read(file);
  const nonce = randomBytes(16).toString("base64");
  // The admin app has no widgets.
  const widgets = html.includes(WIDGETS) ? app.widgets : [];
  const settings = escapeHtml(JSON.stringify(widgets.map(({ sources: _, ...shown }) => shown)));
  return reply
    .headers({ ...PAGE_HEADERS, "referrer-policy": "strict-origin", "content-security-policy": policy(nonce, widgets) })
    .send(html.replaceAll(NONCE, nonce).replace(WIDGETS, () => settings));
}

/** Scripts come from this server and for the configured widgets only. The styles that the components add have the nonce. */
function policy(nonce: string, widgets: readonly Widget[]): string {
  const from = (directive: keyof Widget["sources"], ...own: readonly string[]) => {
    const sources = new Set([...own, ...widgets.flatMap(({ sources: { [directive]: added = [] } }) => added)]);
    return `${directive} ${[...sources].join(" ") || "'none'"}`;
  };
  return [
    "default-src 'none'",
    from("script-src", "'self'"),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    from("connect-src", "'self'"),
    from("frame-src"),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const missingPage = htmlPage(
  "The dashboard is not built",
  "<p>Run <code>npm run build:dashboard</code>, then load this page again. The API works without the dashboard.</p>",
);

/** Sends an asset. Its content never changes: another content has another name. */
function sendAsset(visit: Visit) {
  const { file } = visit.request.params as { readonly file: string };
  visit.reply.headers(ASSET_HEADERS);
  return BUILT.send(visit, `assets/${file}`);
}
