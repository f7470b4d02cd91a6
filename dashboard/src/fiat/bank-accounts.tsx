import { Group, Stack, Text } from "@mantine/core";
import type { FiatAccount } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, idColumn, MINOR, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Empty } from "../ui/page.tsx";
import { Dimmed, Status } from "../ui/values.tsx";

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
      columns={COLUMNS}
      empty={
        <Empty title="No bank account yet">
          <Text size="sm">
            Link one first: you log in at your bank, and choose the account. It takes about two minutes.
          </Text>
        </Empty>
      }
    />
  );
}

function isChanging({ status, kyc_status }: FiatAccount): boolean {
  return status === "pending_verification" || kyc_status === "pending";
}

export function bankName({ institution_name, name, mask }: FiatAccount): string {
  return `${institution_name ?? name} ${mask === null ? "" : `••${mask}`}`.trim();
}

const COLUMNS: readonly Column<FiatAccount>[] = [
  {
    title: "Account",
    csv: bankName,
    show: (account) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {bankName(account)}
        </Text>
        <Dimmed>
          {account.name}, {account.subtype}
        </Dimmed>
      </Stack>
    ),
  },
  idColumn("Id", ({ account_id }) => account_id),
  { title: "Status", csv: ({ status }) => status, show: (account) => <AccountStatus account={account} /> },
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

function AccountStatus({ account: { account_id, status, kyc_status } }: { readonly account: FiatAccount }) {
  const missing = MISSING[status] ?? MISSING[kyc_status];
  return (
    <Stack gap={2} align="start">
      <Group gap={4}>
        <Status status={status} />
        {kyc_status !== "approved" && <Status status={`holder_${kyc_status}`} />}
      </Group>
      {missing !== undefined && <Dimmed>{missing}</Dimmed>}
      {status === "relink_required" && (
        <AppLink to={`/fiat/link?account=${account_id}`} size="sm">
          The bank asks for a new login
        </AppLink>
      )}
    </Stack>
  );
}

function RemoveAccount({ account }: { readonly account: FiatAccount }) {
  const params = { path: { account_id: account.account_id } };
  return (
    <ActionDialog
      title={`Remove ${bankName(account)}`}
      button="Remove"
      buttonProps={{ size: "compact-sm", variant: "light", color: "red" }}
      action="Remove the account"
      isDangerous
      typeToConfirm={account.mask ?? account.name}
      run={() => api.DELETE("/fiat/accounts/{account_id}", { params })}
    >
      <Text size="sm">
        Purser destroys the personal data of the holder at once, and ends its access at the bank. Quotes with this
        account expire. While a conversion of it has not ended, it cannot be removed.
      </Text>
    </ActionDialog>
  );
}
