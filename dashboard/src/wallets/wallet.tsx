import { Grid, Stack } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatNetwork, shorten } from "../ui/format.ts";
import { Pairs } from "../ui/forms/pairs.tsx";
import { AgentLink, Id, NameLink } from "../ui/names.tsx";
import { useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { WalletActivityList } from "./activity.tsx";
import { Balances } from "./balances.tsx";
import { Deposit } from "./deposit.tsx";
import { FreezeActions } from "./freeze-actions.tsx";
import { Freezes } from "./freezes.tsx";
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
  return (
    <Page
      title={wallet ? (wallet.name ?? `Wallet ${shorten(wallet.address)}`) : "Wallet"}
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
            <Freezes freeze={shown.freeze} />
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
          ["Recovery address", recovery === null ? "None" : <Id key="recovery" text={recovery} what="address" />],
          ["Policy of its own", policy === null ? "None" : <NameLink key="policy" to="/policies" id={policy} />],
          ["Created", <Time key="created" at={wallet.created_at} />],
          ["Metadata", <Pairs key="metadata" pairs={wallet.metadata} />],
        ]}
      />
    </Section>
  );
}
