import { Alert, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Conversion, FiatAccount } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { AgentLink, WalletLink } from "../ui/names.tsx";
import { useId, useMode } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Steps } from "../ui/steps.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";

const REFRESH_INTERVAL_MS = 3_000;

/** One conversion: where it stands, how it came there, and what can still be done. */
export function ConversionScreen() {
  const params = { path: { conversion_id: useId("conversionId") } };
  const query = hooks.useQuery(...(["get", "/fiat/conversions/{conversion_id}", { params }] as const), {
    refetchInterval: ({ state }) => state.data !== undefined && isMoving(state.data) && REFRESH_INTERVAL_MS,
  });
  const conversion = query.data;
  return (
    <Page
      title={conversion === undefined ? "Conversion" : DIRECTIONS[conversion.direction]}
      intro={<CopyText text={params.path.conversion_id} what="conversion id" />}
      back={{ label: "Fiat", to: "/fiat" }}
      actions={conversion && <Actions conversion={conversion} />}
    >
      <Loaded query={query}>{(loaded) => <Details conversion={loaded} />}</Loaded>
    </Page>
  );
}

function Details({ conversion }: ConversionProps) {
  const { failure, return_reason: reason, timeline } = conversion;
  const steps = timeline.map(({ status, at }) => ({ title: formatName(status), text: MEANINGS[status], at }));
  return (
    <>
      {failure !== null && <Alert {...{ color: "red", title: "It did not work" }}>{failure.detail}</Alert>}
      {reason !== null && <Alert {...{ color: "orange", title: "The payout came back" }}>{reason}</Alert>}
      <Deposit conversion={conversion} />
      <Section title="Conversion">
        <ConversionFacts conversion={conversion} more={factsOf(conversion)} />
      </Section>
      <Section title="Timeline">
        <Steps steps={steps} />
      </Section>
    </>
  );
}

const copied = (what: string, text: string | null) => text && <CopyText key={what} text={text} what={what} />;

/** How to send the dollars of an on-ramp, while Bridge waits for them. */
function Deposit({ conversion: { deposit_instructions: deposit, status, source } }: ConversionProps) {
  const mode = useMode();
  if (deposit === null || status !== "awaiting_funds") return null;
  return (
    <Alert color="indigo" title="Now send the dollars">
      <Text size="sm" mb="sm">
        Send exactly <SideAmount side={source} /> from your bank account to this one. Without the reference, Bridge
        cannot know what the dollars are for.
      </Text>
      {mode === "test" && (
        <Text size="sm" mb="sm">
          In test mode, no bank sends them: use the deposit page of Bridge in the sandbox. <code>npm start</code> prints
          the sandbox's address.
        </Text>
      )}
      <Facts
        facts={[
          ["Reference", copied("reference", deposit.reference)],
          ["Account number", copied("account number", deposit.account_number)],
          ["Routing number", copied("routing number", deposit.routing_number)],
          ["Bank", deposit.bank_name],
        ]}
      />
    </Alert>
  );
}

const RAILS: Readonly<Record<string, string>> = { ach: "ACH", ach_push: "ACH", ach_same_day: "ACH, same day" };

function factsOf({ source, destination, trace, ...conversion }: Conversion): Facts {
  const { status, agent_id, provider_reference, completed_at } = conversion;
  const [bank, wallet] = source.type === "wallet" ? [destination, source] : [source, destination];
  const references = [trace.tx_hash, trace.ach_trace_number, trace.imad].filter((text) => text !== null);
  return [
    ["Status", <Status key="status" status={status} />],
    ["Completed", <Time key="completed" at={completed_at} none="Not yet" />],
    ["Bank account", bank.type === "fiat_account" && `••${bank.mask ?? ""}, ${RAILS[bank.payment_rail] ?? "Wire"}`],
    ["Wallet", wallet.type === "wallet" && <WalletLink key="wallet" id={wallet.wallet_id} />],
    ["Acted", agent_id === null ? "You" : <AgentLink key="agent" id={agent_id} />],
    ["At Bridge", copied("reference", provider_reference)],
    ...references.map((text) => ["Trace", copied("trace", text)] as const),
  ];
}

function Actions({ conversion }: ConversionProps) {
  const isQuote = conversion.status === "quoted";
  const leftMs = useTimeLeft(isQuote ? Date.parse(conversion.quote?.expires_at ?? "") : 0);
  const params = { path: { conversion_id: conversion.conversion_id ?? "" } };
  if (!isCancelable(conversion)) return null;
  return (
    <>
      <ActionDialog
        title={isQuote ? "Cancel the quote" : "Cancel the conversion"}
        buttonProps={{ variant: "default", color: undefined }}
        action="Cancel it"
        isDangerous
        run={() => api.POST("/fiat/conversions/{conversion_id}/cancel", { params })}
        text="What is held is free again. If Bridge says that it is too late, nothing changes."
      />
      {isQuote && (
        <ActionDialog
          title="Execute the quote"
          button={leftMs > 0 ? `Execute (${formatDuration(leftMs)} left)` : "The quote has expired"}
          buttonProps={{ disabled: leftMs <= 0 }}
          action="Convert now"
          run={() => execute(conversion)}
        >
          <ConversionFacts conversion={conversion} />
        </ActionDialog>
      )}
    </>
  );
}

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
