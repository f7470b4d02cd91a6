import { Alert, Fieldset, Progress, SimpleGrid, Text } from "@mantine/core";
import { useState } from "react";
import type { Conversion, FiatAccount, Wallet } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatAmount } from "../ui/format.ts";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { useWalletName } from "../ui/names.tsx";
import { AppLink, useGo } from "../ui/navigation.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { bankName, ConversionFacts, execute, useTimeLeft } from "./conversion.tsx";

type Direction = Conversion["direction"];

export function OnRamp() {
  return <Convert direction="on_ramp" />;
}

export function OffRamp() {
  return <Convert direction="off_ramp" />;
}

const WIRE = "Wire: about one day";

const TEXTS = {
  on_ramp: {
    ...{ title: "Convert dollars to USDC", source: "USD", target: "USDC" },
    ...{ bankLabel: "From the bank account", walletLabel: "To the wallet" },
    intro: "You send dollars from your bank account to Bridge. The tokens arrive in the wallet after the dollars.",
    rails: { ach_push: "ACH: about three days", wire: WIRE },
  },
  off_ramp: {
    ...{ title: "Convert USDC to dollars", source: "USDC", target: "USD" },
    ...{ bankLabel: "To the bank account", walletLabel: "From the wallet" },
    intro: "The tokens are held at once. The dollars arrive in your bank account after them.",
    rails: { ach: "ACH: about three days", ach_same_day: "ACH, same day: about one day", wire: WIRE },
  },
};

/** Asks for a quote, shows it until it expires, and executes it. */
function Convert({ direction }: { readonly direction: Direction }) {
  const accounts = hooks.useQuery("get", "/fiat/accounts");
  const wallets = hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } });
  const { title, intro } = TEXTS[direction];
  const both = accounts.data && wallets.data && { banks: accounts.data.data, wallets: wallets.data.data };
  return (
    <Page title={title} intro={intro} back={{ label: "Fiat", to: "/fiat" }}>
      <Loaded query={{ data: both, error: accounts.error ?? wallets.error }}>
        {(loaded) =>
          loaded.banks.length === 0 || loaded.wallets.length === 0 ? (
            <Empty title="A conversion needs a bank account and a wallet">
              <AppLink to="/fiat/link">Link a bank account</AppLink>
              <AppLink to="/wallets">Go to the wallets</AppLink>
            </Empty>
          ) : (
            <ConvertForm direction={direction} {...loaded} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ConvertProps {
  readonly direction: Direction;
  readonly banks: readonly FiatAccount[];
  readonly wallets: readonly Wallet[];
}

const QUOTE_LIFETIME_MS = 30_000;

/** The order cannot be changed while a quote for it is valid. */
function ConvertForm({ direction, banks, wallets }: ConvertProps) {
  const { source, target, rails, bankLabel, walletLabel } = TEXTS[direction];
  const [asked, setAsked] = useState<{ readonly quote: Conversion; readonly untilMs: number }>();
  const leftMs = useTimeLeft(asked?.untilMs ?? 0);
  const form = useSubmit(async (fields) => {
    // The browser's clock can be wrong, so the time counts from the moment at which it asked for the quote.
    const untilMs = Date.now() + QUOTE_LIFETIME_MS;
    const quote = await askForQuote(direction, fields);
    execution.reset();
    setAsked(quote && { quote, untilMs });
  });
  const isValid = asked !== undefined && leftMs > 0;
  const execution = useExecution(asked?.quote);
  // What was executed may have been done, whatever the clock says.
  const isShown = isValid || execution.isRunning || (asked !== undefined && execution.error !== undefined);
  const bankOptions = banks.map((bank) => ({ value: bank.account_id, label: bankName(bank) }));
  const nameOf = useWalletName();
  const walletOptions = wallets.map((wallet) => ({
    value: wallet.wallet_id,
    label: nameOf(wallet) + availableText(wallet),
  }));
  const wallet = { input: "object", defaultValue: wallets.length === 1 ? wallets[0]?.wallet_id : null } as const;
  const types = { source: `What I send, in ${source}`, target: `What arrives, in ${target}` };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Fieldset variant="unstyled" disabled={isValid || execution.isRunning}>
        <FormSection
          {...{ title: "What to convert", form, action: "Get a quote" }}
          fields={[
            { name: "bank", label: bankLabel, input: "one", data: bankOptions, defaultValue: banks[0]?.account_id },
            { name: "wallet", label: walletLabel, ...wallet, data: walletOptions, required: true },
            { name: "amount", label: "Amount", inputMode: "decimal", placeholder: "100.00", required: true },
            { name: "type", label: "The amount is", input: "one", data: types, defaultValue: "source" },
            { name: "rail", label: "Payment", input: "one", data: rails, defaultValue: Object.keys(rails)[0] },
          ]}
        />
      </Fieldset>
      {asked && isShown && (
        <Quote quote={asked.quote} leftMs={leftMs} form={execution} cancel={() => setAsked(undefined)} />
      )}
      {asked && !isShown && (
        <Alert color="orange" style={{ alignSelf: "start" }}>
          The quote has expired. Nothing was converted. Get a new quote to convert.
        </Alert>
      )}
    </SimpleGrid>
  );
}

async function askForQuote(direction: Direction, fields: FormData) {
  const [bank, wallet_id] = [textOf(fields, "bank"), textOf(fields, "wallet")];
  const [, dollars, cents = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(textOf(fields, "amount").trim()) ?? [];
  if (dollars === undefined) throw new Error("Enter the amount with at most two decimals, such as 1250.00.");
  const order = {
    ...{ wallet_id, amount: `${dollars}.${cents.padEnd(2, "0")}`, execute: false },
    ...{ amount_type: textOf(fields, "type") as "source", payment_rail: textOf(fields, "rail") },
  };
  const { data } =
    direction === "on_ramp"
      ? await api.POST("/fiat/on-ramp", { body: { ...order, source_account_id: bank } })
      : await api.POST("/fiat/off-ramp", { body: { ...order, destination_account_id: bank } });
  return data;
}

function availableText({ balances }: Wallet): string {
  const usdc = balances.find(({ token }) => token.toLowerCase() === "usdc")?.available;
  return usdc === undefined ? "" : `: ${formatAmount(usdc, "USDC")}`;
}

interface QuoteProps {
  readonly quote: Conversion;
  readonly leftMs: number;
  readonly form: ReturnType<typeof useExecution>;
  readonly cancel: () => void;
}

function useExecution(quote: Conversion | undefined) {
  const go = useGo();
  return useSubmit(async () => {
    if (quote === undefined) return;
    await execute(quote);
    go(`/fiat/conversions/${quote.conversion_id}`);
  });
}

/** A quote with the time that is left, and the button that executes it. */
function Quote({ quote, leftMs, form, cancel }: QuoteProps) {
  return (
    <FormSection title="Quote" form={form} action="Convert now" cancel={cancel}>
      <ConversionFacts conversion={quote} />
      <div>
        <Text size="sm" mb={4} role="timer">
          Valid for {Math.ceil(leftMs / 1_000)} s
        </Text>
        <Progress value={(leftMs / QUOTE_LIFETIME_MS) * 100} aria-label="Time left" />
      </div>
    </FormSection>
  );
}
