import { Type } from "typebox";
import { AppError, isErrorCode } from "../../../foundation/errors.ts";
import type { Server } from "../../route.ts";

/** A 16 by 16 pixel icon. */
const ICON = Buffer.from(
  "AAABAAEAEBACAAEAAQBtAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAQAAAAEAEDAAAAJT1tIgAAAAZQTFRFGlbE////Sej9GgAAACJJREFUeNpjYAAD+QMM8g8YJAoYJAzAqADEBQpKMCAQGAAAo9YFvYqKAVsAAAAASUVORK5CYII=",
  "base64",
);

/** The section of the API reference that lists the errors. */
const ERRORS_SECTION = "/docs#description/errors";

/** Serves the icon, and redirects `/` and the `type` URLs of errors to the API reference. */
export function shortcutRoutes(server: Server): void {
  const page = {
    method: ["GET" as const, "HEAD" as const],
    config: { auth: "public", page: true } as const,
  };
  server.route({
    ...page,
    url: "/favicon.ico",
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .headers({ "content-type": "image/x-icon", "cache-control": "public, max-age=86400" })
        .send(ICON),
  });
  server.route({
    ...page,
    url: "/",
    schema: { hide: true },
    handler: async (_request, reply) => reply.redirect("/docs", 302),
  });
  server.route({
    ...page,
    url: "/errors/:code",
    schema: { hide: true, params: Type.Object({ code: Type.String() }) },
    handler: async (request, reply) => {
      if (!isErrorCode(request.params.code)) throw new AppError("not_found");
      return reply.redirect(ERRORS_SECTION, 302);
    },
  });
}
