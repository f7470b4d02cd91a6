import { Alert, Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Wallet, WalletBalance, WalletBalances } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, textColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { rowsOf } from "../ui/lists/use-list.ts";
import { Loaded } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Dimmed, Time } from "../ui/values.tsx";

const PATH = "/wallets/{wallet_id}/balance";

const SOURCES: Readonly<Record<WalletBalances["source"], string>> = {
  cache: "from the cache, which is at most 30 seconds old",
  database: "from the ledger",
  chain: "from the newest block of the network",
};

export function Balances({ wallet: { wallet_id } }: { wallet: Wallet }) {
  const params = { path: { wallet_id } };
  const client = useQueryClient();
  const { error, isRunning, submit } = useSubmit(async () => {
    const { data } = await api.GET(PATH, { params: { ...params, query: { refresh: true } } });
    client.setQueryData(hooks.queryOptions("get", PATH, { params }).queryKey, data);
  });
  const again = (
    <form onSubmit={submit}>
      <Button type="submit" size="compact-sm" variant="subtle" loading={isRunning}>
        Read again
      </Button>
    </form>
  );
  return (
    <Section title="Balances" actions={again}>
      <ProblemAlert error={error} />
      <Loaded query={hooks.useQuery("get", PATH, { params })}>
        {({ balances, stale, as_of, source }) => (
          <>
            {stale && <Alert color="orange">The network does not answer. The totals are those of the ledger.</Alert>}
            <ListTable
              {...{ label: "Balances", list: rowsOf(balances), columns: COLUMNS, empty: null }}
              rowKey={({ token }) => token}
            />
            <Dimmed>
              As of <Time at={as_of} />, {SOURCES[source]}.
            </Dimmed>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly Column<WalletBalance>[] = [
  textColumn("Token", ({ token }) => token),
  amounts("Available", ({ available }) => available),
  amounts("Held", ({ held }) => held),
  amounts("Total", ({ total }) => total),
  { ...amounts("Value in USD", ({ usd_value }) => usd_value), isMinor: true },
];

function amounts(title: string, csv: (balance: WalletBalance) => string | null): Column<WalletBalance> {
  return textColumn(title, csv, { align: "right", show: (balance) => <Amount amount={csv(balance)} /> });
}
