import { Alert, Button, Grid, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Wallet, WalletActivity, WalletBalance, WalletBalances, WalletFreeze } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatAmount, formatName, formatNetwork } from "../ui/format.ts";
import { metadataLines } from "../ui/forms/metadata.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows, rowsOf } from "../ui/lists/use-list.ts";
import { AgentLink, Id, NameLink, useWalletName } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Dimmed, Status, Time } from "../ui/values.tsx";
import { FreezeActions } from "./freeze-actions.tsx";
import { EditWallet, FundWallet } from "./wallet-dialogs.tsx";

const POLL_MS = 2_000;
/** The statuses that the chain is about to change. */
const MOVING = ["freezing", "unfreezing", "deploying", "pending", "unfreeze_pending"];

export function WalletDetail() {
  const params = { path: { wallet_id: useId("walletId") } };
  const query = hooks.useQuery(...(["get", "/wallets/{wallet_id}", { params }] as const), {
    refetchInterval: ({ state }) => isMoving(state.data) && POLL_MS,
  });
  const { data: wallet } = query;
  const nameOf = useWalletName();
  return (
    <Page
      title={wallet ? nameOf(wallet) : "Wallet"}
      back={{ label: "Wallets", to: "/wallets" }}
      intro={wallet && <Status status={wallet.status} />}
      actions={wallet && <Actions wallet={wallet} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <Stack>
            <Grid>
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <Balances wallet={shown} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <Deposit wallet={shown} />
              </Grid.Col>
            </Grid>
            <Freezes wallet={shown} />
            <WalletFacts wallet={shown} />
            <WalletActivityList wallet={shown} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function isMoving(wallet: Wallet | undefined): boolean {
  if (wallet === undefined) return false;
  return [wallet.status, wallet.deployment_status, wallet.freeze.onchain.status].some((one) => MOVING.includes(one));
}

interface WalletProps {
  readonly wallet: Wallet;
}

function Actions({ wallet }: WalletProps) {
  return (
    <>
      {wallet.mode === "test" && <FundWallet wallet={wallet} />}
      <EditWallet wallet={wallet} key={wallet.updated_at} />
      {wallet.status !== "closed" && <FreezeActions wallet={wallet} />}
    </>
  );
}

const DEPLOYMENTS: Readonly<Record<Wallet["deployment_status"], string>> = {
  counterfactual: "Not deployed. The first payment deploys it",
  deploying: "Being deployed",
  deployed: "Deployed",
  failed: "The deployment has failed",
};

function WalletFacts({ wallet }: WalletProps) {
  const { owner, recovery_address: recovery, policy_id: policy, mode } = wallet;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ["Agent", <AgentLink key="agent" id={wallet.agent_id} />],
          ["Network", `${formatNetwork(wallet.network)} (${wallet.chain_id})`],
          ["Account", mode === "test" ? "None. Test mode has no chain" : DEPLOYMENTS[wallet.deployment_status]],
          ["Wallet id", <Id key="id" text={wallet.wallet_id} what="wallet id" />],
          ["Owner's key", <Id key="owner" text={owner} what="owner's key" />],
          ["Recovery address", recovery && <Id key="recovery" text={recovery} what="address" />],
          ["Policy of its own", policy && <NameLink key="policy" to="/policies" id={policy} />],
          ["Created", <Time key="created" at={wallet.created_at} />],
          ["Metadata", metadataLines(wallet.metadata)],
        ]}
      />
    </Section>
  );
}

/** The wallet's address, and how money gets there. */
function Deposit({ wallet: { address, network, mode, balances } }: { readonly wallet: Wallet }) {
  const contract = balances.find(({ token }) => token === "USDC")?.contract;
  return (
    <Section title={mode === "live" ? "Deposit" : "Address"}>
      <Group align="start">
        {mode === "live" && <QrCode text={address} label="QR code of the address" width={148} />}
        <Stack gap="xs" flex={1} miw={200}>
          <CopyText text={address} what="address" />
          {mode === "test" ? (
            <Alert color="orange" py="xs">
              No chain knows this test wallet. Tokens that you send to it are lost. Add test tokens with “Fund wallet”.
            </Alert>
          ) : (
            <>
              <Text size="sm">
                Send only <strong>USDC</strong> on <strong>{formatNetwork(network)}</strong>. Anything else may be lost.
                The deposit appears below at once, and can be spent when its block is final.
              </Text>
              {contract && (
                <Text size="sm" component="div">
                  USDC is the contract <Id text={contract} what="contract" />
                </Text>
              )}
            </>
          )}
        </Stack>
      </Group>
    </Section>
  );
}

const ON_CHAIN: Readonly<Record<WalletFreeze["onchain"]["status"], string>> = {
  not_frozen: "The account's contract executes what the wallet's key signs.",
  pending: "The transaction that freezes the contract is under way.",
  confirmed: "The contract executes nothing, also not for someone who has the wallet's key.",
  failed: "No block has contained the freeze for ten minutes. Purser goes on. Freeze it again to see it through.",
  unfreeze_pending: "The contract is being unfrozen.",
  simulated: "Test mode has no chain. In live mode, the contract would now execute nothing.",
};

const IN_PURSER = {
  none: "Payments leave as the policies allow. A freeze here binds at once.",
  outgoing_only: "Nothing leaves the wallet. Money can come in.",
  full: "Nothing leaves the wallet, and no money of your account comes in.",
} as const;

/** Both layers of a freeze: Purser's own, which binds at once, and that of the account's contract. */
function Freezes({ wallet: { freeze, mode: walletMode } }: WalletProps) {
  const { database, onchain, mode, reason, note, reference, frozen_by, frozen_at, expires_at } = freeze;
  const simulated = walletMode === "test" && onchain.status === "not_frozen" ? "Test mode has no chain." : undefined;
  const layers = [
    ["In Purser", database.frozen ? "frozen" : "not_frozen", IN_PURSER[mode ?? "none"]],
    ["On the chain", onchain.status, simulated ?? ON_CHAIN[onchain.status]],
  ] as const;
  return (
    <Section title="Freeze">
      {layers.map(([name, status, meaning]) => (
        <Group key={name} gap="xs">
          <Text size="sm" fw={600} miw={110}>
            {name}
          </Text>
          <Status status={status} />
          <Text size="sm">{meaning}</Text>
        </Group>
      ))}
      {database.frozen && (
        <Facts
          facts={[
            ["Reason", formatName(reason ?? "none")],
            ["Note", note],
            ["Reference", reference],
            ["Frozen by", formatName(frozen_by?.type ?? "unknown")],
            ["Frozen", <Time key="at" at={frozen_at} />],
            ["Review", <Time key="review" at={expires_at} none="No date" />],
            ["Transaction", onchain.tx_hash && <Id key="tx" text={onchain.tx_hash} what="transaction" />],
          ]}
        />
      )}
    </Section>
  );
}

const PATH = "/wallets/{wallet_id}/balance";

const SOURCES: Readonly<Record<WalletBalances["source"], string>> = {
  cache: "from the cache, which is at most 30 seconds old",
  database: "from the ledger",
  chain: "from the newest block of the network",
};

function Balances({ wallet: { wallet_id } }: { wallet: Wallet }) {
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
              {...{ label: "Balances", list: rowsOf(balances), columns: BALANCE_COLUMNS, empty: null }}
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

const BALANCE_COLUMNS: readonly Column<WalletBalance>[] = [
  textColumn("Token", ({ token }) => token),
  amounts("Available", ({ available }) => available),
  amounts("Held", ({ held }) => held),
  amounts("Total", ({ total }) => total),
  { ...amounts("Value in USD", ({ usd_value }) => usd_value), isMinor: true },
];

function amounts(title: string, csv: (balance: WalletBalance) => string | null): Column<WalletBalance> {
  return textColumn(title, csv, { align: "right", show: (balance) => <Amount amount={csv(balance)} /> });
}

function WalletActivityList({ wallet: { wallet_id, mode } }: { wallet: Wallet }) {
  const params = { path: { wallet_id }, query: { limit: 20 } };
  const first = mode === "test" ? "Add test tokens with “Fund wallet”." : "Send USDC to the address above.";
  return (
    <Section title="Activity">
      <ListTable
        label="Wallet activity"
        list={pagedRows(hooks.useInfiniteQuery("get", "/wallets/{wallet_id}/activity", { params }, PAGED))}
        rowKey={({ activity_id, type }) => `${type} ${activity_id}`}
        columns={mode === "live" ? ACTIVITY_COLUMNS : ACTIVITY_COLUMNS.filter(({ title }) => title !== "Transaction")}
        empty={<Empty title="Nothing has happened yet">{first}</Empty>}
      />
    </Section>
  );
}

const ACTIVITY_COLUMNS: readonly Column<WalletActivity>[] = [
  { title: "What", csv: ({ type }) => type, show: (activity) => <What activity={activity} /> },
  { title: "Amount", align: "right", csv: (row) => row.signed_amount, show: (row) => <SignedAmount activity={row} /> },
  { title: "Token", csv: ({ token }) => token },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => status && <Status status={status} /> },
  {
    ...{ title: "Transaction", ...MINOR, csv: ({ tx_hash }) => tx_hash },
    show: ({ tx_hash }) => tx_hash && <Id text={tx_hash} what="transaction" />,
  },
  { title: "Payment", csv: ({ payment_id }) => payment_id },
  timeColumn("Time", ({ created_at }) => created_at),
];

function What({ activity: { type, payment_id, freeze, direction } }: { activity: WalletActivity }) {
  if (freeze !== null) {
    const why = freeze.reason === null ? "" : ` (${formatName(freeze.reason).toLowerCase()})`;
    return `${formatName(type)} by ${freeze.source === "admin" ? "an admin" : "you"}${why}`;
  }
  const label = type === "refund" ? `Refund ${direction === "in" ? "received" : "given"}` : formatName(type);
  return payment_id === null ? label : <AppLink to={`/payments/${payment_id}`}>{label}</AppLink>;
}

/** What has moved. An amount that has not moved, such as one that is held, has no sign and is dimmed. */
function SignedAmount({ activity }: { activity: WalletActivity }) {
  const { amount, signed_amount: moved, token } = activity;
  if (amount === null || moved === null || token === null) return "–";
  const hasMoved = /[1-9]/.test(moved);
  return (
    <Text span size="sm" className="amount" {...(!hasMoved && { c: "dimmed" })}>
      {hasMoved && !moved.startsWith("-") && "+"}
      {formatAmount(hasMoved ? moved : amount, token)}
    </Text>
  );
}
