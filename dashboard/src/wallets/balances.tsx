import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet, WalletBalance, WalletBalances } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Amount, Time } from "../ui/values.tsx";

const PATH = "/wallets/{wallet_id}/balance";

const SOURCES: Readonly<Record<WalletBalances["source"], string>> = {
  cache: "from the cache, which is at most 30 seconds old",
  database: "from the ledger",
  chain: "from the newest block of the network",
};

export function Balances({ wallet: { wallet_id } }: { readonly wallet: Wallet }) {
  const params = { path: { wallet_id } };
  const { data, error } = hooks.useQuery("get", PATH, { params });
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const readAgain = () =>
    api.GET(PATH, { params: { ...params, query: { refresh: true } } }).then((read) => {
      setFailure(undefined);
      client.setQueryData(hooks.queryOptions("get", PATH, { params }).queryKey, read.data);
    }, setFailure);
  return (
    <Stack component="section" gap="xs" aria-label="Balances">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Balances
        </Title>
        <Button size="compact-sm" variant="subtle" onClick={readAgain}>
          Read again
        </Button>
      </Group>
      <ProblemAlert error={failure} />
      {data?.stale && <Alert color="orange">The network does not answer. The totals are those of the ledger.</Alert>}
      <ListTable
        label="Balances"
        list={allRows({ data: data && { data: data.balances }, error })}
        rowKey={({ token }) => token}
        columns={COLUMNS}
        empty={null}
      />
      {data && (
        <Text size="xs" c="dimmed">
          As of <Time at={data.as_of} />, {SOURCES[data.source]}.
        </Text>
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<WalletBalance>[] = [
  { title: "Token", csv: ({ token }) => token, show: ({ token }) => token },
  amounts("Available", ({ available }) => available),
  amounts("Held", ({ held }) => held),
  amounts("Total", ({ total }) => total),
  { ...amounts("Value in USD", ({ usd_value }) => usd_value), isMinor: true },
];

function amounts(title: string, csv: (balance: WalletBalance) => string | null): Column<WalletBalance> {
  return { title, align: "right", csv, show: (balance) => <Amount amount={csv(balance)} /> };
}
