import type { Route } from "../../route.ts";
import { LOGO } from "./html-page.ts";
import { asset } from "./page.ts";

/** Serves the icon, and redirects `/` to the dashboard. */
export const shortcutRoutes: readonly Route[] = [
  // Browsers ask for this path by themselves, and then go by the media type.
  asset("/favicon.ico", ({ reply }) => reply.header("content-type", "image/svg+xml").send(LOGO)),
  asset("/", ({ reply }) => reply.redirect("/dashboard", 302)),
];
