import { CaptchaResource, presentCaptcha } from "../../../modules/developers/captcha.ts";
import { endpoint } from "../../route.ts";

export const getCaptchaRoute = endpoint("GET /api/v1/svc/developers/captcha", {
  operationId: "getCaptcha",
  sdk: "developers.captcha",
  summary: "Get a captcha challenge",
  description:
    "Returns an ALTCHA version 2 challenge, which can be used once within ten minutes. To use it, solve it and send the Base64 encoding of a JSON object with the fields `challenge` and `solution` as `captcha_token`. If the server uses Turnstile, returns the configuration for its widget instead: `kind`, `site_key` and `action`. In this case, send the token that the widget returns as `captcha_token`.",
  auth: "public",
  answers: { 200: CaptchaResource },
  run: async (app) => {
    const { captcha, clock } = app;
    const challenge = await captcha.challenge(clock.now());
    return presentCaptcha(challenge, captcha.widget);
  },
});
