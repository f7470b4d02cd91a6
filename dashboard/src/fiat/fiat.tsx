import { Button, Group, Select, Text } from "@mantine/core";
import type { Conversion } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { AppLink, useFilters, useLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { PAGED, pagedRows } from "../ui/use-list.ts";
import { Status, Time } from "../ui/values.tsx";
import { BankAccounts } from "./bank-accounts.tsx";
import { DIRECTIONS, MEANINGS, SideAmount } from "./conversion-facts.tsx";

/** Bank accounts, and conversions between their dollars and the USDC of wallets. */
export function Fiat() {
  const [link, onRamp, offRamp] = [useLink("/fiat/link"), useLink("/fiat/on-ramp"), useLink("/fiat/off-ramp")];
  return (
    <Page
      title="Fiat"
      intro="Turn dollars of your bank account into USDC of a wallet, and back."
      actions={
        <>
          <Button component="a" variant="default" {...offRamp}>
            Convert to dollars
          </Button>
          <Button component="a" {...onRamp}>
            Convert to USDC
          </Button>
        </>
      }
    >
      <Section
        title="Bank accounts"
        intro="Purser never pulls money from a bank account: you send it, or it is paid out there."
        actions={
          <Button component="a" variant="default" size="xs" {...link}>
            Link a bank account
          </Button>
        }
      >
        <BankAccounts />
      </Section>
      <Section title="Conversions" intro="Every conversion and quote, newest first.">
        <Conversions />
      </Section>
    </Page>
  );
}

function Conversions() {
  const { values, set } = useFilters("status", "direction");
  const query = { limit: 50, ...values } as { limit: number } & Partial<Pick<Conversion, "status" | "direction">>;
  const list = pagedRows(hooks.useInfiniteQuery("get", "/fiat/conversions", { params: { query } }, PAGED));
  return (
    <>
      <Group>
        <Select
          label="Status"
          placeholder="Any status"
          clearable
          data={Object.keys(MEANINGS).map((status) => ({ value: status, label: formatName(status) }))}
          value={values.status ?? null}
          onChange={(status) => set("status", status)}
        />
        <Select
          label="Direction"
          placeholder="Both directions"
          clearable
          data={Object.entries(DIRECTIONS).map(([value, label]) => ({ value, label }))}
          value={values.direction ?? null}
          onChange={(direction) => set("direction", direction)}
        />
      </Group>
      <ListTable
        label="Conversions"
        list={list}
        rowKey={({ conversion_id }) => conversion_id ?? ""}
        columns={COLUMNS}
        empty={
          Object.keys(values).length > 0 ? (
            <Empty title="No conversion matches the filters" />
          ) : (
            <Empty title="No conversions yet">
              <Text size="sm">Link a bank account, then convert here or in your code:</Text>
              <Snippet code={FIRST_CALL} />
            </Empty>
          )
        }
      />
    </>
  );
}

const FIRST_CALL = `const quote = await purser.fiat.onRamp({
  source_account_id: "ba_…",
  wallet_id: "wal_…",
  amount: "100.00",
  execute: false,
});
await purser.fiat.conversions.execute(quote.conversion_id);`;

const COLUMNS: readonly Column<Conversion>[] = [
  {
    title: "Conversion",
    csv: ({ conversion_id }) => conversion_id,
    show: ({ conversion_id, direction }) => (
      <AppLink to={`/fiat/conversions/${conversion_id}`} size="sm" fw={600}>
        {DIRECTIONS[direction]}
      </AppLink>
    ),
  },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  {
    title: "From",
    align: "right",
    isMinor: true,
    csv: ({ source }) => source.amount,
    show: ({ source }) => <SideAmount side={source} />,
  },
  {
    title: "Arrives",
    align: "right",
    csv: ({ destination }) => destination.amount,
    show: ({ destination }) => <SideAmount side={destination} />,
  },
  { title: "Created", isMinor: true, csv: ({ created_at }) => created_at, show: (row) => <Time at={row.created_at} /> },
];
