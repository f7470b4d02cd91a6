import { Alert, NumberInput, Progress, SegmentedControl, Select, SimpleGrid, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Conversion, FiatAccount, Wallet } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatAmount } from "../ui/format.ts";
import { invalidFields, ObjectSelect } from "../ui/forms/fields.tsx";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { AppLink, useGo } from "../ui/navigation.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { bankName } from "./bank-accounts.tsx";
import { ConversionFacts, execute, useTimeLeft } from "./conversion-facts.tsx";

type Direction = Conversion["direction"];

export function OnRamp() {
  return <Convert direction="on_ramp" />;
}

export function OffRamp() {
  return <Convert direction="off_ramp" />;
}

const TEXTS = {
  on_ramp: {
    ...{ title: "Convert dollars to USDC", source: "USD", target: "USDC" },
    ...{ bankLabel: "From the bank account", walletLabel: "To the wallet" },
    intro: "You send dollars from your bank account to Bridge. The tokens arrive in the wallet after the dollars.",
    rails: [
      { value: "ach_push", label: "ACH: about three days" },
      { value: "wire", label: "Wire: about one day" },
    ],
  },
  off_ramp: {
    ...{ title: "Convert USDC to dollars", source: "USDC", target: "USD" },
    ...{ bankLabel: "To the bank account", walletLabel: "From the wallet" },
    intro: "The tokens are held at once. The dollars arrive in your bank account after them.",
    rails: [
      { value: "ach", label: "ACH: about three days" },
      { value: "ach_same_day", label: "ACH, same day: about one day" },
      { value: "wire", label: "Wire: about one day" },
    ],
  },
};

/** Asks for a quote, shows it until it expires, and executes it. */
function Convert({ direction }: { readonly direction: Direction }) {
  const accounts = hooks.useQuery("get", "/fiat/accounts");
  const wallets = hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } });
  const { title, intro } = TEXTS[direction];
  return (
    <Page title={title} intro={intro} back={{ label: "Fiat", to: "/fiat" }}>
      <Loaded query={accounts}>
        {({ data: banks }) => (
          <Loaded query={wallets}>
            {({ data: owned }) =>
              banks.length === 0 || owned.length === 0 ? (
                <Missing hasBank={banks.length > 0} />
              ) : (
                <ConvertForm direction={direction} banks={banks} wallets={owned} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Missing({ hasBank }: { readonly hasBank: boolean }) {
  return (
    <Empty
      title={hasBank ? "You have no wallet yet" : "You have no bank account yet"}
      text="A conversion needs a linked bank account and a wallet of one of your agents."
    >
      <AppLink to={hasBank ? "/wallets" : "/fiat/link"} size="sm">
        {hasBank ? "Go to the wallets" : "Link a bank account"}
      </AppLink>
    </Empty>
  );
}

interface Order {
  readonly account: string;
  readonly wallet: string;
  readonly amount: string | number;
  readonly amountType: "source" | "target";
  readonly rail: string;
}

interface ConvertProps {
  readonly direction: Direction;
  readonly banks: readonly FiatAccount[];
  readonly wallets: readonly Wallet[];
}

function ConvertForm({ direction, banks, wallets }: ConvertProps) {
  const { source, target, rails, bankLabel, walletLabel } = TEXTS[direction];
  const [quote, setQuote] = useState<Conversion>();
  const form = useForm<Order>({
    initialValues: {
      ...{ account: banks[0]?.account_id ?? "", wallet: wallets[0]?.wallet_id ?? "", amount: "", amountType: "source" },
      rail: rails[0]?.value ?? "",
    },
    onValuesChange: () => setQuote(undefined),
  });
  const asking = useSubmit(async () => {
    const order = form.getValues();
    const asked = await askForQuote(direction, order);
    // The answer to an order that was changed meanwhile is not a quote for what the form shows.
    if (JSON.stringify(order) === JSON.stringify(form.getValues())) setQuote(asked);
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <FormSection title="What to convert" form={asking} action={quote ? "Get a new quote" : "Get a quote"}>
        <Select
          {...{ label: bankLabel, allowDeselect: false }}
          data={banks.map((account) => ({ value: account.account_id, label: bankName(account) }))}
          {...form.getInputProps("account")}
        />
        <ObjectSelect
          {...{ label: walletLabel, allowDeselect: false, clearable: false }}
          data={wallets.map((wallet) => ({ value: wallet.wallet_id, label: walletName(wallet) }))}
          {...form.getInputProps("wallet")}
        />
        <NumberInput
          {...{ label: "Amount", required: true, min: 0.01, max: 1_000_000, hideControls: true }}
          {...{ decimalScale: 2, fixedDecimalScale: true, thousandSeparator: "," }}
          suffix={` ${form.values.amountType === "source" ? source : target}`}
          {...form.getInputProps("amount")}
          error={invalidFields(asking.error)["amount"]}
        />
        <SegmentedControl
          aria-label="What the amount is"
          data={[
            { value: "source", label: `I send this much ${source}` },
            { value: "target", label: `This much ${target} arrives` },
          ]}
          {...form.getInputProps("amountType")}
        />
        <Select label="Payment" allowDeselect={false} data={rails} {...form.getInputProps("rail")} />
      </FormSection>
      {quote !== undefined && <Quote key={quote.conversion_id} quote={quote} />}
    </SimpleGrid>
  );
}

async function askForQuote(direction: Direction, { account, wallet, amount, ...rest }: Order) {
  const order = {
    ...{ wallet_id: wallet, amount: Number(amount).toFixed(2), amount_type: rest.amountType },
    ...{ payment_rail: rest.rail, execute: false },
  };
  const { data } =
    direction === "on_ramp"
      ? await api.POST("/fiat/on-ramp", { body: { ...order, source_account_id: account } })
      : await api.POST("/fiat/off-ramp", { body: { ...order, destination_account_id: account } });
  return data;
}

function walletName({ name, wallet_id, network, balances }: Wallet): string {
  const usdc = balances.find(({ token }) => token.toLowerCase() === "usdc")?.available;
  const balance = usdc === undefined ? "" : `: ${formatAmount(usdc, "USDC")}`;
  return `${name ?? `…${wallet_id.slice(-6)}`} on ${network}${balance}`;
}

const QUOTE_LIFETIME_MS = 30_000;

/** A quote with the time that is left, and the button that executes it. */
function Quote({ quote }: { readonly quote: Conversion }) {
  const go = useGo();
  const client = useQueryClient();
  // The browser's clock can be wrong, so the time counts from the moment at which the quote came.
  const [untilMs] = useState(() => Date.now() + QUOTE_LIFETIME_MS);
  const leftMs = useTimeLeft(untilMs);
  const form = useSubmit(async () => {
    await execute(quote);
    await client.invalidateQueries();
    go(`/fiat/conversions/${quote.conversion_id}`);
  });
  if (leftMs === 0) {
    return (
      <Section title="Quote">
        <Alert color="orange">The quote has expired. Nothing was converted.</Alert>
      </Section>
    );
  }
  return (
    <FormSection title="Quote" form={form} action="Convert now">
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
