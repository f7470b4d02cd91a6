import type { VendorNameOf } from "../foundation/vendors/index.ts";

/** Distinguishes people from programs at public endpoints that cost money or send mail. */
export interface Captcha {
  /** The challenge as JSON, to send unchanged. Undefined if the vendor's widget fetches its own challenges. */
  challenge(now: Date): Promise<object | undefined>;
  /** Whether the token solves an unexpired, unused challenge. Rejects if that cannot be checked. */
  verify(token: string, now: Date): Promise<boolean>;
  /** Present if the vendor's widget fetches the challenges. */
  readonly widget?: CaptchaWidget;
}

/** The vendor's widget that a page embeds. The widget's result is the token. */
export interface CaptchaWidget {
  readonly kind: VendorNameOf<"captcha">;
  readonly siteKey: string;
  /** The action name that the widget records in its tokens, if the vendor supports one. */
  readonly action?: string;
}
