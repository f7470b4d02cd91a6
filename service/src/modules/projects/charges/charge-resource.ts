import { type Static, Type } from "typebox";
import { formatUsdCents } from "../../../foundation/money.ts";
import { BILLERS } from "../../../foundation/vocabulary.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import type { Charge } from "./queries.ts";

/** The API representation of a charge, which is used in responses and in events. */
export const ChargeResource = Type.Object(
  {
    charge_id: Type.String(),
    service_id: {
      ...Nullable(Type.String()),
      description:
        "The id of the service that the charge is for. Null if the charge is not for a service.",
    },
    provider: Type.String(),
    type: Type.Enum(["subscription", "usage", "one_time", "refund", "adjustment"]),
    description: Type.String(),
    amount: {
      ...DecimalOut,
      description: "The amount of the charge in US dollars. Negative for a refund.",
    },
    currency: Type.Enum(["usd"]),
    status: Type.Enum(
      ["reserved", "pending", "succeeded", "failed", "released", "refunded", "disputed"],
      {
        description:
          "Status of the charge. `reserved`: the month has not ended yet, or the provider has not reported the use yet. `succeeded`: the amount is final. `released`: the service could not be added. `pending`: not paid yet.",
      },
    ),
    agent_id: {
      ...Nullable(Type.String()),
      description: "The UUID of the agent that caused the charge. Null if the developer caused it.",
    },
    payment_id: {
      ...Nullable(Type.String()),
      description: "The id of the payment for the charge. Null until the charge is paid.",
    },
    billed_by: Type.Enum([...BILLERS], {
      description:
        "Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method.",
    }),
    estimated: Type.Boolean({
      description:
        "Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`.",
    }),
    period_start: { ...Timestamp, description: "Start of the calendar month (UTC) of the charge." },
    period_end: {
      ...Timestamp,
      description: "End of the month, or the time at which the service was removed.",
    },
    occurred_at: Timestamp,
  },
  { $id: "Charge" },
);

/** Returns the API representation of a charge. */
export function presentCharge(charge: Charge): Static<typeof ChargeResource> {
  return {
    charge_id: charge.chargeId,
    service_id: charge.serviceId,
    provider: charge.provider,
    type: charge.type,
    description: charge.description,
    amount: formatUsdCents(charge.amountCents),
    currency: charge.currency,
    status: charge.status,
    agent_id: charge.agentId,
    payment_id: charge.paymentId,
    billed_by: charge.billedBy,
    estimated: charge.estimated,
    period_start: charge.periodStart.toISOString(),
    period_end: charge.periodEnd.toISOString(),
    occurred_at: charge.occurredAt.toISOString(),
  };
}
