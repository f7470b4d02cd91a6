import type { VendorNameOf } from "../foundation/vendors/index.ts";

/** Tells people from programs where an endpoint is public and costs something. */
export interface Captcha {
  /** A challenge for the client, as JSON to be sent as it is. Undefined where the vendor hands out its own. */
  challenge(now: Date): Promise<object | undefined>;
  /** Whether the token solves a challenge that is not expired and was not used. Rejects when it cannot tell. */
  verify(token: string, now: Date): Promise<boolean>;
  /** Where the vendor hands out its own. */
  readonly widget?: CaptchaWidget;
}

/** What a page puts up for a vendor to hand out its challenges. What it gives back is the token. */
export interface CaptchaWidget {
  readonly kind: VendorNameOf<"captcha">;
  readonly siteKey: string;
  /** What the widget has to note in its tokens, where the vendor has such a note. */
  readonly action?: string;
}
