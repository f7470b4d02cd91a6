import { Alert, Text } from "@mantine/core";
import type { Approval, Payment } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";

export type Outcome = NonNullable<Approval["outcome"]>;

const ENDINGS = {
  pending: "",
  approved: "The request continues.",
  denied: "The request is not carried out.",
  expired: "No one decided in time, so the request is not carried out.",
  canceled: "What waited for the approval has ended, so there is nothing to decide.",
};

interface OutcomeProps {
  readonly status: Approval["status"];
  readonly payment: Pick<Payment, "payment_id"> | undefined;
  /** The state of what waited. Undefined if the API does not tell it. */
  readonly outcome: Outcome | undefined;
}

/** Says what has happened to what waited for the approval. */
export function OutcomeAlert({ status, payment, outcome }: OutcomeProps) {
  const known = status === "approved" ? outcome : undefined;
  const hasFailed = Boolean(known?.failure);
  return (
    <Alert
      color={status === "approved" && !hasFailed ? "teal" : "orange"}
      title={formatName(status) + (hasFailed ? ", but not carried out" : "")}
      role="status"
    >
      <Text size="sm">{known === undefined ? ENDINGS[status] : textOf(known)}</Text>
      {payment !== undefined && (
        <AppLink to={`/payments/${payment.payment_id}`} size="sm">
          Open the payment
        </AppLink>
      )}
    </Alert>
  );
}

function textOf({ status, failure }: Outcome): string {
  const state = `The request is ${status.replaceAll("_", " ")}`;
  if (failure !== null) return `${state}: ${failure.detail}`;
  if (status === "requires_approval") return "Another rule asks, so the request waits for another approval.";
  return status === "pending" || status === "running" ? ENDINGS.approved : `${state}.`;
}
