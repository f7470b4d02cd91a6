import type { Conversion } from "../api/api-types.ts";
import { Amount } from "../ui/values.tsx";

type ConversionStatus = Conversion["status"];

/** The name of each direction, from the developer's side. */
export const DIRECTIONS: Readonly<Record<Conversion["direction"], string>> = {
  on_ramp: "Dollars to USDC",
  off_ramp: "USDC to dollars",
};

/** What each status means, in the words of the API's documents. */
export const MEANINGS: Readonly<Record<ConversionStatus, string>> = {
  quoted: "A quote. Nothing is reserved or held.",
  in_review: "Bridge has not accepted the transfer yet, or checks it.",
  awaiting_funds: "Bridge waits for the money of the source.",
  funds_received: "Bridge has the money of the source.",
  payment_submitted: "Bridge has sent the money to the destination.",
  completed: "The money has arrived.",
  undeliverable: "The payout could not be delivered.",
  returned: "The payout came back.",
  missing_return_policy: "The payout came back, and Bridge does not know where to send it.",
  refund_in_flight: "Bridge sends the money back to its source.",
  refunded: "The money is back at its source.",
  refund_failed: "Bridge could not send the money back. The operator of this server sees it too.",
  canceled: "Canceled. What was held is free again.",
  expired: "The time was over before the money came.",
  failed: "It did not work. What was held is free again, unless it was sent.",
};

const ENDED: ReadonlySet<ConversionStatus> = new Set(["completed", "refunded", "canceled", "expired", "failed"]);

export function isEnded({ status }: Conversion): boolean {
  return ENDED.has(status);
}

/** Whether a cancel can still come in time. The server decides. */
export function isCancelable({ status, direction }: Conversion): boolean {
  return status === "quoted" || status === "in_review" || (status === "awaiting_funds" && direction === "on_ramp");
}

export const RAILS: Readonly<Record<string, string>> = {
  ach: "ACH",
  ach_push: "ACH",
  ach_same_day: "ACH, same day",
  wire: "Wire",
};

export function rateOf({ direction, rate }: Conversion): string {
  return direction === "on_ramp" ? `1 USD = ${rate} USDC` : `1 USDC = ${rate} USD`;
}

type Side = Conversion["source"];

/** The amount of one side with its currency: dollars of a bank account, or tokens of a wallet. */
export function SideAmount({ side }: { readonly side: Side }) {
  return <Amount amount={side.amount} currency={side.type === "wallet" ? "USDC" : "USD"} />;
}

export function FeeAmount({ conversion: { fees } }: { readonly conversion: Conversion }) {
  const cents = fees.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  return <Amount amount={(cents / 100).toFixed(2)} currency="USD" />;
}
