import { Alert, Text } from "@mantine/core";
import type { Conversion } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { AgentLink, WalletLink } from "../ui/names.tsx";
import { useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Steps } from "../ui/steps.tsx";
import { Status, Time } from "../ui/values.tsx";
import {
  ConversionFacts,
  DIRECTIONS,
  execute,
  isCancelable,
  isMoving,
  MEANINGS,
  SideAmount,
  useTimeLeft,
} from "./conversion-facts.tsx";

const REFRESH_INTERVAL_MS = 3_000;

interface ConversionProps {
  readonly conversion: Conversion;
}

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

const copied = (what: string, text: string | null) =>
  text === null ? "–" : <CopyText key={what} text={text} what={what} />;

/** How to send the dollars of an on-ramp, while Bridge waits for them. */
function Deposit({ conversion: { deposit_instructions: deposit, status, source } }: ConversionProps) {
  if (deposit === null || status !== "awaiting_funds") return null;
  return (
    <Alert color="indigo" title="Now send the dollars">
      <Text size="sm" mb="sm">
        Send exactly <SideAmount side={source} /> from your bank account to this one. Without the reference, Bridge
        cannot know what the dollars are for.
      </Text>
      <Facts
        facts={[
          ["Reference", copied("reference", deposit.reference)],
          ["Account number", copied("account number", deposit.account_number)],
          ["Routing number", copied("routing number", deposit.routing_number)],
          ["Bank", deposit.bank_name ?? "–"],
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
      {isQuote && leftMs > 0 && (
        <ActionDialog
          title="Execute the quote"
          button={`Execute (${formatDuration(leftMs)} left)`}
          action="Convert now"
          run={() => execute(conversion)}
        >
          <ConversionFacts conversion={conversion} />
        </ActionDialog>
      )}
    </>
  );
}
