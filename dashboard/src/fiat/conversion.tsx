import { Alert, Text, Timeline } from "@mantine/core";
import type { Conversion } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import {
  DIRECTIONS,
  FeeAmount,
  isCancelable,
  isEnded,
  MEANINGS,
  RAILS,
  rateOf,
  SideAmount,
} from "./conversion-facts.tsx";
import { execute, QuoteFacts, useTimeLeft } from "./quote.tsx";

const REFRESH_INTERVAL_MS = 3_000;

/** One conversion: where it stands, how it came there, and what can still be done. */
export function ConversionScreen() {
  const params = { path: { conversion_id: useId("conversionId") } };
  const query = hooks.useQuery(
    "get",
    "/fiat/conversions/{conversion_id}",
    { params },
    { refetchInterval: ({ state }) => (state.data && !isEnded(state.data) ? REFRESH_INTERVAL_MS : false) },
  );
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

function Details({ conversion }: { readonly conversion: Conversion }) {
  const { failure, return_reason: reason } = conversion;
  return (
    <>
      {failure !== null && (
        <Alert color="red" title="It did not work">
          {failure.detail}
        </Alert>
      )}
      {reason !== null && (
        <Alert color="orange" title="The payout came back">
          {reason}
        </Alert>
      )}
      <Deposit conversion={conversion} />
      <Section title="Conversion">
        <ConversionFacts conversion={conversion} />
      </Section>
      <Section title="Timeline">
        <States conversion={conversion} />
      </Section>
    </>
  );
}

/** How to send the dollars of an on-ramp, while Bridge waits for them. */
function Deposit({ conversion }: { readonly conversion: Conversion }) {
  const deposit = conversion.deposit_instructions;
  if (deposit === null || conversion.status !== "awaiting_funds") return null;
  const { bank_name, account_number, routing_number, reference } = deposit;
  const copied = (what: string, text: string | null) =>
    text === null ? "–" : <CopyText key={what} text={text} what={what} />;
  return (
    <Alert color="indigo" title="Now send the dollars">
      <Text size="sm" mb="sm">
        Send exactly <SideAmount side={conversion.source} /> from your bank account to this one. Without the reference,
        Bridge cannot know what the dollars are for.
      </Text>
      <Facts
        facts={[
          ["Reference", copied("reference", reference)],
          ["Account number", copied("account number", account_number)],
          ["Routing number", copied("routing number", routing_number)],
          ["Bank", bank_name ?? "–"],
        ]}
      />
    </Alert>
  );
}

function ConversionFacts({ conversion }: { readonly conversion: Conversion }) {
  const { source, destination, trace, agent_id, provider_reference } = conversion;
  const [bank, wallet] = source.type === "wallet" ? [destination, source] : [source, destination];
  const references = [trace.tx_hash, trace.ach_trace_number, trace.imad].filter((text) => text !== null);
  return (
    <Facts
      facts={[
        ["Status", <Status key="status" status={conversion.status} />],
        ["Sent", <SideAmount key="source" side={source} />],
        ["Fee", <FeeAmount key="fee" conversion={conversion} />],
        ["Arrives", <SideAmount key="destination" side={destination} />],
        ["Rate", rateOf(conversion)],
        [
          "Bank account",
          bank.type === "fiat_account" ? `••${bank.mask ?? ""}, ${RAILS[bank.payment_rail] ?? ""}` : "–",
        ],
        ["Wallet", wallet.type === "wallet" ? <WalletLink key="wallet" walletId={wallet.wallet_id} /> : "–"],
        [
          "Acted",
          agent_id === null ? (
            "You"
          ) : (
            <AppLink key="agent" to={`/agents/${agent_id}`}>
              The agent
            </AppLink>
          ),
        ],
        ["Expected by", <Time key="expected" at={conversion.expected_completion_at} />],
        ["Completed", <Time key="completed" at={conversion.completed_at} none="Not yet" />],
        [
          "At Bridge",
          provider_reference === null ? "–" : <CopyText key="bridge" text={provider_reference} what="reference" />,
        ],
        ...references.map((text) => ["Trace", <CopyText key={text} text={text} what="trace" />] as const),
      ]}
    />
  );
}

function WalletLink({ walletId }: { readonly walletId: string }) {
  return (
    <AppLink to={`/wallets/${walletId}`} size="sm">
      …{walletId.slice(-6)}
    </AppLink>
  );
}

/** Each status that the conversion had, oldest first. */
function States({ conversion: { timeline } }: { readonly conversion: Conversion }) {
  return (
    <Timeline active={timeline.length - 1} bulletSize={16} lineWidth={2}>
      {timeline.map(({ status, at }) => (
        <Timeline.Item key={status + at} title={formatName(status)}>
          <Text size="sm">{MEANINGS[status]}</Text>
          <Text size="xs" c="dimmed" component="div">
            <Time at={at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function Actions({ conversion }: { readonly conversion: Conversion }) {
  const isQuote = conversion.status === "quoted";
  const leftMs = useTimeLeft(isQuote ? Date.parse(conversion.quote?.expires_at ?? "") : 0);
  const params = { path: { conversion_id: conversion.conversion_id ?? "" } };
  if (!isCancelable(conversion)) return null;
  return (
    <>
      <ActionDialog
        title={isQuote ? "Cancel the quote" : "Cancel the conversion"}
        buttonProps={{ variant: "default" }}
        action="Cancel it"
        isDangerous
        run={() => api.POST("/fiat/conversions/{conversion_id}/cancel", { params })}
      >
        <Text size="sm">What is held is free again. If Bridge says that it is too late, nothing changes.</Text>
      </ActionDialog>
      {isQuote && leftMs > 0 && (
        <ActionDialog
          title="Execute the quote"
          button={`Execute (${formatDuration(leftMs)} left)`}
          action="Convert now"
          run={() => execute(conversion)}
        >
          <QuoteFacts quote={conversion} />
        </ActionDialog>
      )}
    </>
  );
}
