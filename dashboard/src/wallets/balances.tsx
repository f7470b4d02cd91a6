import { Alert, Button, Table, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet, WalletBalances } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { Loaded } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Time } from "../ui/values.tsx";

const SOURCES: Readonly<Record<WalletBalances["source"], string>> = {
  cache: "from the cache, which is at most 30 seconds old",
  database: "from the ledger",
  chain: "from the newest block of the network",
};

export function Balances({ wallet }: { readonly wallet: Wallet }) {
  const params = { path: { wallet_id: wallet.wallet_id } };
  const query = hooks.useQuery("get", "/wallets/{wallet_id}/balance", { params });
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const readAgain = async () => {
    setReading(true);
    setError(undefined);
    try {
      const { data } = await api.GET("/wallets/{wallet_id}/balance", {
        params: { ...params, query: { refresh: true } },
      });
      client.setQueryData(hooks.queryOptions("get", "/wallets/{wallet_id}/balance", { params }).queryKey, data);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setReading(false);
    }
  };
  const refresh = (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<IconRefresh size={14} />}
      loading={isReading}
      onClick={readAgain}
    >
      Read again
    </Button>
  );
  return (
    <Section title="Balances" actions={refresh}>
      <ProblemAlert error={error} />
      <Loaded query={query}>{(balances) => <BalanceTable balances={balances} />}</Loaded>
    </Section>
  );
}

function BalanceTable({ balances: { balances, source, as_of, stale } }: { readonly balances: WalletBalances }) {
  return (
    <>
      {stale && <Alert color="orange">The network does not answer. The totals are those of the ledger.</Alert>}
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label="Balances">
        <Table aria-label="Balances">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Token</Table.Th>
              <Table.Th ta="right">Available</Table.Th>
              <Table.Th ta="right">Held</Table.Th>
              <Table.Th ta="right">Total</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                Value
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {balances.map(({ token, available, held, total, usd_value }) => (
              <Table.Tr key={token}>
                <Table.Td>{token}</Table.Td>
                {[available, held, total].map((amount, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
                  <Table.Td key={index} ta="right">
                    <Amount amount={amount} />
                  </Table.Td>
                ))}
                <Table.Td ta="right" visibleFrom="sm">
                  <Amount amount={usd_value} currency="USD" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        As of <Time at={as_of} />, {SOURCES[source]}.
      </Text>
    </>
  );
}
