import { type Static, Type } from "typebox";
import { AppError } from "../../foundation/errors.ts";
import type { CaptchaWidget } from "../../ports/captcha.ts";

/** An ALTCHA challenge, or the configuration of the captcha provider's widget (docs/api.md, section 16.1). */
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
