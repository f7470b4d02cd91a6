import { Group } from "@mantine/core";
import type { Conversion, FiatAccount } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import {
  type Column,
  idColumn,
  linesColumn,
  linkColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows, PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { optionsOf } from "../ui/names.tsx";
import { AppLink, LinkButton } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
import { bankName, DIRECTIONS, MEANINGS, SideAmount } from "./conversion.tsx";

/** Bank accounts, and conversions between their dollars and the USDC of wallets. */
export function Fiat() {
  const actions = (
    <>
      <LinkButton to="/fiat/off-ramp" variant="default">
        Convert to dollars
      </LinkButton>
      <LinkButton to="/fiat/on-ramp">Convert to USDC</LinkButton>
    </>
  );
  const link = { to: "/fiat/link", variant: "default", size: "xs", children: "Link a bank account" };
  const intro = "Purser never pulls money from a bank account: you send it, or it is paid out there.";
  return (
    <Page title="Fiat" intro="Turn dollars of your bank account into USDC of a wallet, and back." actions={actions}>
      <Section title="Bank accounts" intro={intro} actions={<LinkButton {...link} />}>
        <BankAccounts />
      </Section>
      <Section title="Conversions" intro="Every conversion and quote, newest first.">
        <Conversions />
      </Section>
    </Page>
  );
}

function Conversions() {
  const filters = useListFilters({
    status: ["Status", Object.keys(MEANINGS)],
    direction: ["Direction", optionsOf(DIRECTIONS)],
  });
  const list = pagedRows(
    hooks.useInfiniteQuery("get", "/fiat/conversions", { params: { query: filters.query } }, PAGED),
  );
  return (
    <ListTable
      label="Conversions"
      list={list}
      rowKey={({ conversion_id }) => conversion_id ?? ""}
      columns={COLUMNS}
      filters={filters}
      empty={<Empty {...NO_CONVERSIONS} />}
    />
  );
}

const FIRST_CALL = `const quote = await purser.fiat.onRamp({
  source_account_id: "ba_…",
  wallet_id: "wal_…",
  amount: "100.00",
  execute: false,
});
await purser.fiat.conversions.execute(quote.conversion_id);`;

const NO_CONVERSIONS = {
  title: "No conversions yet",
  text: "Link a bank account, then convert here or in your code:",
  code: FIRST_CALL,
};

function sideColumn(title: string, side: (row: Conversion) => Conversion["source"], isMinor: boolean) {
  const show = (row: Conversion) => <SideAmount side={side(row)} />;
  return textColumn<Conversion>(title, (row) => side(row).amount, { align: "right", isMinor, show });
}

const COLUMNS: readonly Column<Conversion>[] = [
  linkColumn("Conversion", ({ direction }) => DIRECTIONS[direction], {
    to: ({ conversion_id }) => `/fiat/conversions/${conversion_id}`,
  }),
  statusColumn(),
  sideColumn("From", ({ source }) => source, true),
  sideColumn("Arrives", ({ destination }) => destination, false),
  timeColumn("Created", ({ created_at }) => created_at, MINOR),
];

/** How often an account is read again while the vendors check it. */
const REFRESH_INTERVAL_MS = 4_000;

export function BankAccounts() {
  const query = hooks.useQuery(
    "get",
    "/fiat/accounts",
    {},
    { refetchInterval: ({ state }) => (state.data?.data.some(isChanging) ? REFRESH_INTERVAL_MS : false) },
  );
  return (
    <ListTable
      label="Bank accounts"
      list={allRows(query)}
      rowKey={({ account_id }) => account_id}
      columns={ACCOUNT_COLUMNS}
      empty={<Empty title="No bank account yet" text={NO_ACCOUNT} />}
    />
  );
}

const NO_ACCOUNT = "Link one first: you log in at your bank, and choose the account. It takes about two minutes.";

function isChanging({ status, kyc_status }: FiatAccount): boolean {
  return status === "pending_verification" || kyc_status === "pending";
}

const ACCOUNT_COLUMNS: readonly Column<FiatAccount>[] = [
  linesColumn("Account", bankName, { below: ({ name, subtype }) => `${name}, ${subtype}` }),
  idColumn("Id", ({ account_id }) => account_id),
  linesColumn("Status", ({ status }) => status, {
    below: (account) => <Missing account={account} />,
    top: ({ status, kyc_status }) => (
      <Group gap={4}>
        <Status status={status} />
        {kyc_status !== "approved" && <Status status={`holder_${kyc_status}`} />}
      </Group>
    ),
  }),
  timeColumn("Linked", ({ created_at }) => created_at, MINOR),
  { title: "Actions", align: "right", show: (account) => <RemoveAccount account={account} /> },
];

/** What is missing until the account can be used, if something is. */
const MISSING: Readonly<Record<string, string>> = {
  pending_verification: "A small deposit is on its way. This takes days.",
  disabled: "The small deposit was not verified in time. Remove the account, and link it again.",
  pending: "Its holder is being identified.",
  review: "A person at a vendor checks the holder.",
  rejected: "The holder was rejected, so no money can move.",
};

function Missing({ account: { account_id, status, kyc_status } }: { readonly account: FiatAccount }) {
  if (status !== "relink_required") return MISSING[status] ?? MISSING[kyc_status];
  return <AppLink to={`/fiat/link?account=${account_id}`}>The bank asks for a new login</AppLink>;
}

function RemoveAccount({ account }: { readonly account: FiatAccount }) {
  const params = { path: { account_id: account.account_id } };
  return (
    <ActionDialog
      {...{ title: `Remove ${bankName(account)}`, button: "Remove", isSmall: true, action: "Remove the account" }}
      typeToConfirm={account.mask ?? account.name}
      run={() => api.DELETE("/fiat/accounts/{account_id}", { params })}
      text="Purser destroys the personal data of the holder at once, and ends its access at the bank. Quotes with this account expire. While a conversion of it has not ended, it cannot be removed."
    />
  );
}
