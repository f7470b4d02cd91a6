import { useEffect, useState } from "react";
import type { Conversion, FiatAccount } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { Facts } from "../ui/page.tsx";
import { Amount, Time } from "../ui/values.tsx";

type ConversionStatus = Conversion["status"];

interface ConversionProps {
  readonly conversion: Conversion;
}

/** The name of each direction, from the developer's side. */
export const DIRECTIONS: Readonly<Record<Conversion["direction"], string>> = {
  on_ramp: "Dollars to USDC",
  off_ramp: "USDC to dollars",
};

/** The name of a bank account: `Chase ••1234`. */
export function bankName({ institution_name, name, mask }: FiatAccount): string {
  return `${institution_name ?? name} ${mask === null ? "" : `••${mask}`}`.trim();
}

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

/** The statuses after which another comes by itself. */
const MOVING: ReadonlySet<ConversionStatus> = new Set([
  ...(["quoted", "in_review", "awaiting_funds", "funds_received", "payment_submitted"] as const),
  ...(["returned", "refund_in_flight"] as const),
]);

export function isMoving({ status }: Conversion): boolean {
  return MOVING.has(status);
}

/** Whether a cancel can still come in time. The server decides. */
export function isCancelable({ status, direction }: Conversion): boolean {
  return status === "quoted" || status === "in_review" || (status === "awaiting_funds" && direction === "on_ramp");
}

/** The amount of one side with its currency: dollars of a bank account, or tokens of a wallet. */
export function SideAmount({ side }: { readonly side: Conversion["source"] }) {
  return <Amount amount={side.amount} currency={side.type === "wallet" ? "USDC" : "USD"} />;
}

/** What is sent, what it costs and what arrives. */
export function ConversionFacts({ conversion, more = [] }: ConversionProps & { readonly more?: Facts }) {
  const { source, destination, direction, rate, fees, expected_completion_at } = conversion;
  const feeCents = fees.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  return (
    <Facts
      facts={[
        ["You send", <SideAmount key="source" side={source} />],
        ["Fee, taken from it", <Amount key="fee" amount={(feeCents / 100).toFixed(2)} currency="USD" />],
        ["What arrives", <SideAmount key="destination" side={destination} />],
        ["Rate", direction === "on_ramp" ? `1 USD = ${rate} USDC` : `1 USDC = ${rate} USD`],
        ["Expected by", <Time key="time" at={expected_completion_at} />],
        ...more,
      ]}
    />
  );
}

export async function execute({ conversion_id }: Conversion): Promise<void> {
  const params = { path: { conversion_id: conversion_id ?? "" } };
  await api.POST("/fiat/conversions/{conversion_id}/execute", { params });
}

/** Returns how long it is until a time of the browser's clock, and again each second. */
export function useTimeLeft(untilMs: number): number {
  const [, setTick] = useState(0);
  const leftMs = Math.max(0, untilMs - Date.now());
  useEffect(() => {
    if (leftMs === 0) return;
    const timer = setTimeout(() => setTick((tick) => tick + 1), 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return leftMs;
}
