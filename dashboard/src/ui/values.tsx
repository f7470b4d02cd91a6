import { Badge, Text, Tooltip } from "@mantine/core";
import { formatAmount, formatName, formatTime, formatUtc } from "./format.ts";

/** A time in the browser's time zone; hovering shows it in UTC. */
export function Time({ at, none = "–" }: { readonly at: string | null | undefined; readonly none?: string }) {
  if (at === null || at === undefined) return <>{none}</>;
  return (
    <Tooltip label={formatUtc(at)} withArrow>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {formatTime(at)}
      </time>
    </Tooltip>
  );
}

/** An amount of money: a decimal string of the API. A negative amount has a minus. */
export function Amount({
  amount,
  currency,
}: {
  readonly amount: string | null | undefined;
  readonly currency?: string;
}) {
  if (amount === null || amount === undefined) return <>–</>;
  return <span className="amount">{formatAmount(amount, currency)}</span>;
}

/** The colours of the statuses. Statuses that are not listed are grey. */
const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "active",
      "confirmed",
      "captured",
      "completed",
      "verified",
      "succeeded",
      "paid",
      "approved",
      "linked",
      "healthy",
      "anchored",
      "settled",
      "ok",
      "done",
      "deployed",
      "killed",
    ].map((name) => [name, "teal"]),
  ),
  ...Object.fromEntries(
    [
      "pending",
      "provisioning",
      "queued",
      "signing",
      "submitted",
      "requires_approval",
      "authorized",
      "rotating",
      "running",
      "processing",
      "quoted",
      "in_progress",
      "upgrading",
      "deploying",
      "open",
      "partially_refunded",
      "freezing",
      "unfreezing",
    ].map((name) => [name, "indigo"]),
  ),
  ...Object.fromEntries(
    [
      "suspended",
      "paused",
      "expired",
      "expiring",
      "past_due",
      "unverified",
      "needs_operator",
      "compensating",
      "returned",
      "blocked_pending",
    ].map((name) => [name, "orange"]),
  ),
  ...Object.fromEntries(
    [
      "failed",
      "denied",
      "rejected",
      "revoked",
      "frozen",
      "dropped",
      "disabled",
      "mismatch",
      "uncollectible",
      "error",
      "stopped",
      "disputed",
    ].map((name) => [name, "red"]),
  ),
};

export function Status({ status }: { readonly status: string }) {
  return (
    <Badge variant="light" color={COLORS[status] ?? "gray"} tt="none" fw={600} miw="max-content">
      {formatName(status)}
    </Badge>
  );
}

/** A name that the user can choose, or its id if it has none. */
export function Dimmed({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
