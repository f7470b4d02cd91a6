import { Badge, Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { formatAmount, formatName, formatTime, formatUtc } from "./format.ts";

/** A time in the browser's time zone; hovering shows it in UTC. */
export function Time({ at, none = "–" }: { at: string | null | undefined; none?: string | undefined }) {
  if (at === null || at === undefined) return none;
  return (
    <Tooltip label={formatUtc(at)} withArrow>
      <time dateTime={at}>{formatTime(at)}</time>
    </Tooltip>
  );
}

/** An amount of money: a decimal string of the API. A negative amount has a minus. */
export function Amount({ amount, currency }: { amount: string | null | undefined; currency?: string | undefined }) {
  if (amount === null || amount === undefined) return "–";
  return <span className="amount">{formatAmount(amount, currency)}</span>;
}

/** The statuses of each colour. Others are grey. */
const COLORS = Object.entries({
  teal: "active confirmed captured completed verified succeeded paid approved linked healthy anchored settled ok done deployed killed enabled delivered",
  indigo:
    "pending provisioning queued signing submitted requires_approval authorized rotating running processing quoted in_progress upgrading deploying open partially_refunded freezing unfreezing",
  orange:
    "suspended paused expired expiring past_due unverified needs_operator compensating returned blocked_pending failing",
  red: "failed denied rejected revoked frozen dropped disabled mismatch uncollectible error stopped disputed",
}).map(([color, statuses]) => ({ color, statuses: new Set(statuses.split(" ")) }));

export function Status({ status, text = formatName(status) }: { status: string; text?: string }) {
  const color = COLORS.find(({ statuses }) => statuses.has(status))?.color ?? "gray";
  return (
    <Badge variant="light" color={color} tt="none" fw={600} miw="max-content">
      {text}
    </Badge>
  );
}

/** What is said beside or below something. */
export function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
