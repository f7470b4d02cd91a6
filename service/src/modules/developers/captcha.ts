import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { callStore } from "../../foundation/deadline.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { CaptchaWidget } from "../../ports/captcha.ts";

/**
 * The captcha provider can be a remote server, so this timeout is longer than the default `storeTimeoutMs` (400 ms).
 */
const TIMEOUT_MS = 3_000;

const HOW =
  "Get a new challenge from GET /api/v1/svc/developers/captcha, solve it and send the solution. A challenge can be used once.";

export async function requireCaptcha(app: Pick<App, "captcha" | "clock">, token: string | undefined): Promise<void> {
  if (token === undefined) throw invalidCaptcha("required", `is required. ${HOW}`);
  const verdict = app.captcha.verify(token, app.clock.now());
  const isSolved = await callStore(verdict, TIMEOUT_MS, "checking a captcha");
  if (!isSolved) {
    throw invalidCaptcha("captcha", `is not a valid captcha solution. ${HOW}`);
  }
}

function invalidCaptcha(code: string, detail: string): AppError {
  return invalidField("/body/captcha_token", code, detail);
}

/** An ALTCHA challenge, or the configuration of the captcha provider's widget (docs/rules/accounts.md). */
export const CaptchaResource = Type.Object(
  {},
  {
    $id: "Captcha",
    additionalProperties: true,
    description:
      "An ALTCHA challenge in the ALTCHA library's format, or the configuration for the captcha provider's widget.",
  },
);

/** Throws `not_found` if the captcha provider has no challenge and no widget. */
export function presentCaptcha(
  challenge: object | undefined,
  widget: CaptchaWidget | undefined,
): Static<typeof CaptchaResource> {
  if (challenge !== undefined) return { ...challenge };
  if (widget === undefined) throw new AppError("not_found");
  const { kind, siteKey, action } = widget;
  return { kind, site_key: siteKey, action };
}
