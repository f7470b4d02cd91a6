import type { App } from "../../../app.ts";
import { publicErrors } from "../../../foundation/wire/problem.ts";
import { CaptchaResource, presentCaptcha } from "../../../modules/developers/index.ts";
import type { Server } from "../../route.ts";

export function getCaptchaRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/captcha",
    config: { auth: "public" },
    schema: {
      operationId: "getCaptcha",
      tags: ["Developers"],
      summary: "Get a captcha challenge",
      description:
        'Returns an ALTCHA version 2 challenge, which can be used once within ten minutes. `captcha_token` is the Base64 encoding of the JSON object `{"challenge","solution"}`. If the server uses Turnstile or hCaptcha, returns the configuration for the vendor\'s widget instead: `kind`, `site_key` and, for Turnstile, `action`. The token that the widget returns is the `captcha_token`.',
      response: {
        200: CaptchaResource,
        ...publicErrors,
      },
    },
    handler: async () => {
      const { captcha, clock } = app;
      const challenge = await captcha.challenge(clock.now());
      return presentCaptcha(challenge, captcha.widget);
    },
  });
}
