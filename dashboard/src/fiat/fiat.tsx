import { Button, Text } from "@mantine/core";
import type { Conversion } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { FilterBar } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useFilters, useLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
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
  const filters = useFilters("status", "direction");
  const query = { limit: 50, ...filters.query };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/fiat/conversions", { params: { query } }, PAGED));
  const statuses = Object.keys(MEANINGS).map((value) => ({ value, label: formatName(value) }));
  const directions = Object.entries(DIRECTIONS).map(([value, label]) => ({ value, label }));
  return (
    <>
      <FilterBar
        filters={filters}
        fields={{ status: ["Status", statuses], direction: ["Direction", directions] }}
        path="/fiat"
      />
      <ListTable
        label="Conversions"
        list={list}
        rowKey={({ conversion_id }) => conversion_id ?? ""}
        columns={COLUMNS}
        empty={filters.isFiltered ? <Empty title="No conversion matches the filters" /> : <NoConversions />}
      />
    </>
  );
}

function NoConversions() {
  return (
    <Empty title="No conversions yet">
      <Text size="sm">Link a bank account, then convert here or in your code:</Text>
      <Snippet code={FIRST_CALL} />
    </Empty>
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
  statusColumn("Status", ({ status }) => status),
  {
    ...textColumn("From", ({ source }) => source.amount, { align: "right", isMinor: true }),
    show: ({ source }) => <SideAmount side={source} />,
  },
  {
    ...textColumn("Arrives", ({ destination }) => destination.amount, { align: "right" }),
    show: ({ destination }) => <SideAmount side={destination} />,
  },
  timeColumn("Created", ({ created_at }) => created_at, MINOR),
];
