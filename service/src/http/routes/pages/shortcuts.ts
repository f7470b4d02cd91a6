import { AppError, isErrorCode } from "../../../foundation/errors.ts";
import type { Route } from "../../route.ts";
import { asset } from "./page.ts";

/** A 16 by 16 pixel icon. */
const ICON = Buffer.from(
  "AAABAAEAEBACAAEAAQBtAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAQAAAAEAEDAAAAJT1tIgAAAAZQTFRFGlbE////Sej9GgAAACJJREFUeNpjYAAD+QMM8g8YJAoYJAzAqADEBQpKMCAQGAAAo9YFvYqKAVsAAAAASUVORK5CYII=",
  "base64",
);

/** The section of the API reference that lists the errors. */
const ERRORS_SECTION = "/docs#description/errors";

/** Serves the icon, redirects `/` to the dashboard, and the `type` URLs of errors to the API reference. */
export const shortcutRoutes: readonly Route[] = [
  asset("/favicon.ico", ({ reply }) => reply.header("content-type", "image/x-icon").send(ICON)),
  asset("/", ({ reply }) => reply.redirect("/dashboard", 302)),
  asset("/errors/:code", ({ request, reply }) => {
    const { code } = request.params as { readonly code: string };
    if (!isErrorCode(code)) throw new AppError("not_found");
    return reply.redirect(ERRORS_SECTION, 302);
  }),
];
