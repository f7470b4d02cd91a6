import { Button, Group, NumberInput, SegmentedControl, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { Conversion, FiatAccount, Wallet } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { formatAmount } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { bankName } from "./bank-accounts.tsx";
import { Quote } from "./quote.tsx";

type Direction = Conversion["direction"];

export function OnRamp() {
  return <Convert direction="on_ramp" />;
}

export function OffRamp() {
  return <Convert direction="off_ramp" />;
}

const TEXTS = {
  on_ramp: {
    title: "Convert dollars to USDC",
    intro: "You send dollars from your bank account to Bridge. The tokens arrive in the wallet after the dollars.",
    rails: [
      { value: "ach_push", label: "ACH: about three days" },
      { value: "wire", label: "Wire: about one day" },
    ],
  },
  off_ramp: {
    title: "Convert USDC to dollars",
    intro: "The tokens are held at once. The dollars arrive in your bank account after them.",
    rails: [
      { value: "ach", label: "ACH: about three days" },
      { value: "ach_same_day", label: "ACH, same day: about one day" },
      { value: "wire", label: "Wire: about one day" },
    ],
  },
} as const;

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
            {({ data: owned }) => <ConvertForm direction={direction} banks={banks} wallets={owned} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
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

function ConvertForm(props: ConvertProps) {
  const { direction, banks, wallets } = props;
  const [quote, setQuote] = useState<Conversion>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const form = useForm<Order>({
    initialValues: {
      ...{ account: banks[0]?.account_id ?? "", wallet: wallets[0]?.wallet_id ?? "", amount: "", amountType: "source" },
      rail: TEXTS[direction].rails[0].value,
    },
    onValuesChange: () => setQuote(undefined),
  });
  if (banks.length === 0 || wallets.length === 0) return <Missing hasBank={banks.length > 0} />;
  const ask = async () => {
    const order = form.values;
    setRunning(true);
    setError(undefined);
    // The answer to an order that was changed meanwhile is not a quote for what the form shows.
    const isCurrent = () => JSON.stringify(order) === JSON.stringify(form.getValues());
    await askForQuote(direction, order)
      .then((asked) => isCurrent() && setQuote(asked), setError)
      .finally(() => setRunning(false));
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <form onSubmit={form.onSubmit(ask)}>
        <Section title="What to convert">
          <Fields {...props} form={form} error={error} />
          <ProblemAlert error={error} />
          <Group justify="end">
            <Button type="submit" variant={quote === undefined ? "filled" : "default"} loading={isRunning}>
              Get a quote
            </Button>
          </Group>
        </Section>
      </form>
      {quote !== undefined && <Quote key={quote.conversion_id} quote={quote} renew={ask} />}
    </SimpleGrid>
  );
}

async function askForQuote(
  direction: Direction,
  { account, wallet, amount, amountType, rail }: Order,
): Promise<Conversion | undefined> {
  const order = {
    ...{ wallet_id: wallet, amount: Number(amount).toFixed(2), amount_type: amountType },
    ...{ payment_rail: rail, execute: false },
  };
  const { data } =
    direction === "on_ramp"
      ? await api.POST("/fiat/on-ramp", { body: { ...order, source_account_id: account } })
      : await api.POST("/fiat/off-ramp", { body: { ...order, destination_account_id: account } });
  return data;
}

interface FieldsProps {
  readonly form: ReturnType<typeof useForm<Order>>;
  readonly error: unknown;
}

function Fields({ direction, form, banks, wallets, error }: ConvertProps & FieldsProps) {
  const isOnRamp = direction === "on_ramp";
  const [source, target] = isOnRamp ? ["USD", "USDC"] : ["USDC", "USD"];
  const bank = (
    <Select
      key="bank"
      label={isOnRamp ? "From the bank account" : "To the bank account"}
      allowDeselect={false}
      data={banks.map((account) => ({ value: account.account_id, label: bankName(account) }))}
      {...form.getInputProps("account")}
    />
  );
  const wallet = (
    <Select
      key="wallet"
      label={isOnRamp ? "To the wallet" : "From the wallet"}
      allowDeselect={false}
      searchable
      data={wallets.map((one) => ({ value: one.wallet_id, label: walletName(one) }))}
      {...form.getInputProps("wallet")}
    />
  );
  return (
    <Stack>
      {isOnRamp ? [bank, wallet] : [wallet, bank]}
      <NumberInput
        label="Amount"
        required
        min={0.01}
        max={1_000_000}
        decimalScale={2}
        fixedDecimalScale
        thousandSeparator=","
        hideControls
        suffix={` ${form.values.amountType === "source" ? source : target}`}
        error={error instanceof RequestError ? error.fields["amount"] : undefined}
        {...form.getInputProps("amount")}
      />
      <SegmentedControl
        aria-label="What the amount is"
        data={[
          { value: "source", label: `I send this much ${source}` },
          { value: "target", label: `This much ${target} arrives` },
        ]}
        {...form.getInputProps("amountType")}
      />
      <Select
        label="Payment"
        allowDeselect={false}
        data={TEXTS[direction].rails.map((rail) => ({ ...rail }))}
        {...form.getInputProps("rail")}
      />
    </Stack>
  );
}

function walletName({ name, wallet_id, network, balances }: Wallet): string {
  const usdc = balances.find(({ token }) => token.toLowerCase() === "usdc")?.available;
  const balance = usdc === undefined ? "" : `: ${formatAmount(usdc, "USDC")}`;
  return `${name ?? `…${wallet_id.slice(-6)}`} on ${network}${balance}`;
}

function Missing({ hasBank }: { readonly hasBank: boolean }) {
  return (
    <Empty title={hasBank ? "You have no wallet yet" : "You have no bank account yet"}>
      <Text size="sm">A conversion needs a linked bank account and a wallet of one of your agents.</Text>
      <AppLink to={hasBank ? "/wallets" : "/fiat/link"} size="sm">
        {hasBank ? "Go to the wallets" : "Link a bank account"}
      </AppLink>
    </Empty>
  );
}
