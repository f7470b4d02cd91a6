import { List, Stack, Text } from "@mantine/core";
import type { Payment, PolicyVerdict } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatAmount, shorten } from "../ui/format.ts";
import { type Column, linkColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, useAgents, useKeys, useProjects, useWallets, WalletLink } from "../ui/names.tsx";
import { AppLink, useMode } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { ScreenTabs } from "../ui/screen-tabs.tsx";
import { Dimmed } from "../ui/values.tsx";
import { RefusedPayments } from "./refused-payments.tsx";

/** A payment as the client returns it, which leaves out fields that are always null. */
export type ShownPayment = Omit<Payment, "decision"> & { readonly decision: Omit<PolicyVerdict, "screening"> };

/** The payments, and the requests to pay that were refused. */
export function Payments() {
  return (
    <Page title="Payments" intro="What your agents have paid, asked to pay, or hold for a later capture.">
      <ScreenTabs
        tabs={{
          made: ["Payments", <PaymentTable key="made" />],
          refused: ["Refused", <RefusedPayments key="refused" />],
        }}
      />
    </Page>
  );
}

function PaymentTable() {
  const filters = useListFilters({
    status: ["Status", STATUSES],
    agent_id: ["Agent", useAgents()],
    wallet_id: ["Wallet", useWallets()],
    project_id: ["Project", useProjects()],
    reference: ["Reference", "text"],
    created_after: ["Created from", "date"],
    created_before: ["Created to", "date"],
  });
  const { created_after, created_before } = filters.values;
  const days = { created_after: dayStart(created_after), created_before: dayStart(created_before, 1) };
  const query = { ...filters.query, ...days };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/payments", { params: { query } }, PAGED));
  return (
    <ListTable
      label="Payments"
      list={list}
      rowKey={({ payment_id }) => payment_id}
      columns={PAYMENT_COLUMNS}
      filters={filters}
      empty={<NoPayments />}
    />
  );
}

const STATUSES =
  "requires_approval authorized queued signing submitted confirmed captured partially_refunded refunded voided canceled expired denied failed dropped".split(
    " ",
  );

/** Returns when a day begins in the browser's time zone, or a later day. Undefined if the text is no date. */
function dayStart(day = "", laterDays = 0): string | undefined {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + laterDays);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns the amount, and how much of it was captured if that was a part: `1.00 of 2.50 USDC`. */
export function amountText({ amount, paid_amount: paid, token }: ShownPayment): string {
  const isPart = paid !== null && Number(paid) > 0 && Number(paid) < Number(amount);
  return `${isPart ? `${formatAmount(paid)} of ` : ""}${formatAmount(amount, token)}`;
}

export const PAYMENT_COLUMNS: readonly Column<ShownPayment>[] = [
  {
    ...linkColumn("Amount", amountText, {
      to: ({ payment_id }) => `/payments/${payment_id}`,
    }),
    csv: ({ amount }) => amount,
  },
  { title: "Token", csv: ({ token }) => token },
  { title: "Paid", csv: ({ paid_amount }) => paid_amount },
  { title: "Refunded", csv: ({ refunded_amount }) => refunded_amount },
  { title: "Payee", csv: ({ to }) => to.address, show: ({ to }) => <Payee to={to} /> },
  statusColumn(),
  { title: "Agent", ...MINOR, csv: ({ agent_id }) => agent_id, show: ({ agent_id }) => <AgentLink id={agent_id} /> },
  textColumn("Purpose", ({ purpose }) => purpose, { ...MINOR, show: (payment) => <Purpose payment={payment} /> }),
  { title: "Reference", csv: ({ reference }) => reference },
  timeColumn("Time", ({ created_at }) => created_at),
  { title: "Network", csv: ({ network }) => network },
  { title: "Project", csv: ({ project_id }) => project_id },
  { title: "Payment", csv: ({ payment_id }) => payment_id },
  { title: "Transaction", csv: ({ onchain }) => onchain?.tx_hash },
];

/** Whom a payment pays: one of the account's wallets or agents by its name, others by their address. */
export function Payee({ to }: { readonly to: Payment["to"] }) {
  if (to.type === "agent") return <AgentLink id={to.value} />;
  return to.wallet_id === null ? (
    <span title={to.address}>{shorten(to.address)}</span>
  ) : (
    <WalletLink id={to.wallet_id} />
  );
}

function Purpose({ payment: { purpose, reference } }: { readonly payment: ShownPayment }) {
  return (
    <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
      <Text size="sm" lineClamp={2}>
        {purpose ?? "–"}
      </Text>
      {reference !== null && <Dimmed>{reference}</Dimmed>}
    </Stack>
  );
}

/** What a list of payments shows while it is empty: what an agent needs to pay, and a command with which it pays. */
function NoPayments() {
  const mode = useMode();
  const agentId = useAgents().find(({ status }) => status === "active")?.agent_id;
  const key = useKeys().find((one) => one.mode === mode && one.status === "active");
  return (
    <Empty title="No payments yet">
      <Text size="sm">An agent pays from its wallet. Its policies decide what it may pay. For its first payment:</Text>
      <List size="sm" type="ordered">
        <List.Item>
          <AppLink to="/agents">Create an agent</AppLink>, and <AppLink to="/wallets">a wallet for it</AppLink>. In test
          mode, fund the wallet.
        </List.Item>
        <List.Item>
          <AppLink to="/keys">Create a key pair</AppLink>, with which the agent's code signs its calls.
        </List.Item>
        <List.Item>
          Put the pair into the first two lines, and run this in a shell. It needs openssl and curl:
        </List.Item>
      </List>
      <Snippet what="command" code={signedPayment(mode, agentId, key?.key_hint)} />
      <Text size="sm">In code, the SDK signs for you: the API reference shows each call in TypeScript and Python.</Text>
    </Empty>
  );
}

/** Returns shell commands that sign and send a payment of five dollars. */
function signedPayment(mode: string, agentId = "AGENT_ID", hint = ""): string {
  const ends = hint === "" ? "" : ` # such as the one that ends with ${hint.replace("…", "")}`;
  const payee = mode === "live" ? "PAYEE_ADDRESS" : "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
  return `KEY=svc_sk_${mode}_YOUR_KEY${ends}
SECRET=svc_ss_${mode}_YOUR_SECRET
AGENT=${agentId}
BODY='{"agent_id":"'$AGENT'","amount":"5.00","to":"${payee}"}'
URL_PATH=/api/v1/svc/payments/send NOW=$(date +%s)
SIGNING_KEY=$(printf %s "$SECRET" | openssl dgst -sha256 -r | cut -d' ' -f1)
BODY_HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
SIGNATURE=$(printf %s "$NOW.POST.$URL_PATH.$BODY_HASH" | openssl dgst -sha256 -hmac "$SIGNING_KEY" -r | cut -d' ' -f1)
curl -sS ${window.location.origin}$URL_PATH -H "Authorization: $KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\
  -H "X-Request-Signature: $SIGNATURE" -H "X-Agent-ID: $AGENT" -H 'Content-Type: application/json' -d "$BODY"`;
}
