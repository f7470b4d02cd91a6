import type { IncomingHttpHeaders } from "node:http";
import type { Mode } from "../foundation/vocabulary.ts";

/** A vendor's report that one of its objects has changed. The object itself must be read from the vendor. */
export interface VendorEvent {
  /** The event's id at the vendor. The same event can arrive several times. */
  readonly eventId: string;
  readonly mode: Mode;
  /** The vendor's name of what happened, for example `invoice.paid`. */
  readonly type: string;
  /** The vendor's name of the object's type, for example `invoice`. */
  readonly objectType: string;
  readonly objectId: string;
}

/** A webhook as it was received. */
export interface ReceivedWebhook {
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: Date;
}

/** `event` is null if the webhook is about nothing that has an id. */
export interface VerifiedWebhook {
  readonly event: VendorEvent | null;
}

/** Verifies the webhooks of a vendor. */
export interface VendorWebhooks {
  /**
   * Verifies the signature over the body's bytes, and parses the body only then. Returns undefined if the webhook is not
   * from the vendor or is too old. A vendor whose keys must be fetched verifies asynchronously.
   */
  verify(webhook: ReceivedWebhook): VerifiedWebhook | undefined | Promise<VerifiedWebhook | undefined>;
}
