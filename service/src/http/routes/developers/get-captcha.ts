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
      summary: "A fresh captcha challenge, or the widget that has one",
      description:
        'An ALTCHA challenge, version 2, good for ten minutes. Its solution is the `captcha_token`: base64 of `{"challenge","solution"}` as JSON. Each is good once. Where Turnstile or hCaptcha is in its place, `{"kind","site_key"}` (and Turnstile\'s `action`) for the vendor\'s widget, whose response is the `captcha_token`.',
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
