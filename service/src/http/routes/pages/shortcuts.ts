import type { FastifyReply } from "fastify";
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
  const page = { method: ["GET", "HEAD"], config: { auth: "public", page: true } } as const;
  const schema = { hide: true, params: Type.Object({ code: Type.Optional(Type.String()) }) };
  const addPage = (url: string, handler: (reply: FastifyReply, code?: string) => FastifyReply) =>
    server.route({
      ...page,
      method: [...page.method],
      url,
      schema,
      handler: async (request, reply) => handler(reply, request.params.code),
    });
  addPage("/favicon.ico", (reply) => reply.header("content-type", "image/x-icon").send(ICON));
  addPage("/", (reply) => reply.redirect("/docs", 302));
  addPage("/errors/:code", (reply, code = "") => {
    if (!isErrorCode(code)) throw new AppError("not_found");
    return reply.redirect(ERRORS_SECTION, 302);
  });
}
