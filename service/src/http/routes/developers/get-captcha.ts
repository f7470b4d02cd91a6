import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { Server } from "../../route.ts";
import { Problem, publicErrors } from "../../schemas/errors.ts";

export function getCaptchaRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/captcha",
    config: { auth: "public" },
    schema: {
      operationId: "getCaptcha",
      tags: ["Developers"],
      summary: "A fresh captcha challenge",
      description:
        'An ALTCHA challenge, version 2, good for ten minutes. Its solution is the `captcha_token`: base64 of `{"challenge","solution"}` as JSON. Each is good once. 404 where another vendor hands out the challenges.',
      response: {
        200: Type.Object({}, { additionalProperties: true }),
        404: Problem,
        ...publicErrors,
      },
    },
    handler: async () => {
      const challenge = await app.captcha.challenge(app.clock.now());
      if (challenge === undefined) throw new AppError("not_found");
      return { ...challenge };
    },
  });
}
