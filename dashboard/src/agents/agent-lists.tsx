import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import { statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Amount, Dimmed } from "../ui/values.tsx";

function amountsOf(balances: Wallet["balances"]): string {
  const held = balances.filter(({ available }) => Number(available) > 0);
  return held.map(({ token, available }) => formatAmount(available, token)).join(", ") || "Nothing";
}

interface OfAgent {
  readonly agentId: string;
}

export function AgentWallets({ agentId }: OfAgent) {
  const params = { path: { agent_id: agentId } };
  return (
    <ListTable
      label="Wallets of the agent"
      list={allRows(hooks.useQuery("get", "/wallets/agent/{agent_id}", { params }))}
      rowKey={({ wallet_id }) => wallet_id}
      columns={[
        {
          title: "Wallet",
          csv: ({ wallet_id }) => wallet_id,
          show: ({ wallet_id, name, network }) => (
            <AppLink to={`/wallets/${wallet_id}`} size="sm">
              {name ?? formatName(network)}
            </AppLink>
          ),
        },
        textColumn("Network", ({ network }: Wallet) => network),
        statusColumn(),
        {
          title: "Available",
          align: "right",
          show: ({ balances }) => amountsOf(balances),
        },
      ]}
      empty={<Snippet code={`await purser.wallets.create({ agent_id: "${agentId}", network: "base" });`} />}
    />
  );
}

export function AgentPayments({ agentId }: OfAgent) {
  const query = { agent_id: agentId, limit: 10 };
  return (
    <>
      <ListTable
        label="Payments of the agent"
        list={allRows(hooks.useQuery("get", "/payments", { params: { query } }))}
        rowKey={({ payment_id }) => payment_id}
        columns={[
          {
            title: "Payment",
            csv: ({ payment_id }) => payment_id,
            show: ({ payment_id, purpose, to }) => (
              <AppLink to={`/payments/${payment_id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
                {purpose ?? to.value}
              </AppLink>
            ),
          },
          {
            title: "Amount",
            align: "right",
            csv: ({ amount }) => amount,
            show: ({ amount, token }) => <Amount amount={amount} currency={token} />,
          },
          statusColumn(),
          timeColumn("Sent", ({ created_at }: { readonly created_at: string }) => created_at),
        ]}
        empty={<Dimmed>It has made no payments.</Dimmed>}
      />
      <AppLink to={`/payments?agent_id=${agentId}`} size="sm">
        All payments
      </AppLink>
    </>
  );
}
