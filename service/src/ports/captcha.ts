import type { VendorNameOf } from "../foundation/vendors.ts";

/** Blocks bots at public endpoints that cost money or send email. */
export interface Captcha {
  /**
   * Returns the challenge to send to the client as JSON. Undefined if the vendor's widget fetches its own challenges.
   */
  challenge(now: Date): Promise<object | undefined>;
  /**
   * Returns true if the token solves an unexpired, unused challenge. Rejects if the token cannot be checked, for
   * example because the vendor does not respond.
   */
  verify(token: string, now: Date): Promise<boolean>;
  /** Set if the vendor's widget fetches the challenges. */
  readonly widget?: CaptchaWidget;
}

/** A vendor's widget that a page embeds. Solving its challenge produces the token. */
export interface CaptchaWidget {
  readonly kind: VendorNameOf<"captcha">;
  readonly siteKey: string;
  /** The action name that the widget records in its tokens. */
  readonly action: string;
}
