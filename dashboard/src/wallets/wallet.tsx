import { Grid, Group, Stack, Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { AgentLink, shorten } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { WalletActivityList } from "./activity.tsx";
import { Balances } from "./balances.tsx";
import { Deposit } from "./deposit.tsx";
import { EditWallet } from "./edit-wallet.tsx";
import { FreezeActions } from "./freeze-actions.tsx";
import { Freezes } from "./freezes.tsx";
import { FundWallet } from "./fund-wallet.tsx";

const POLL_MS = 2_000;

/** Whether the chain is about to change the wallet. */
function isMoving({ status, deployment_status, freeze }: Wallet): boolean {
  return (
    status === "freezing" ||
    status === "unfreezing" ||
    deployment_status === "deploying" ||
    freeze.onchain.status === "pending" ||
    freeze.onchain.status === "unfreeze_pending"
  );
}

export function WalletDetail() {
  const id = useId("walletId");
  const query = hooks.useQuery(
    "get",
    "/wallets/{wallet_id}",
    { params: { path: { wallet_id: id } } },
    { refetchInterval: ({ state }) => state.data !== undefined && isMoving(state.data) && POLL_MS },
  );
  const wallet = query.data;
  return (
    <Page
      title={wallet === undefined ? "Wallet" : (wallet.name ?? `Wallet ${shorten(wallet.address)}`)}
      back={{ label: "Wallets", to: "/wallets" }}
      intro={
        wallet !== undefined && (
          <Group gap="xs">
            <Status status={wallet.status} />
            <span>
              of <AgentLink id={wallet.agent_id} /> on {formatName(wallet.network.replace("-", " "))}
            </span>
          </Group>
        )
      }
      actions={
        wallet !== undefined && (
          <>
            {wallet.mode === "test" && <FundWallet wallet={wallet} />}
            <FreezeActions wallet={wallet} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <Stack>
            <Grid>
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <Stack>
                  <Balances wallet={shown} />
                  <Freezes wallet={shown} />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <Deposit wallet={shown} />
              </Grid.Col>
            </Grid>
            <WalletFacts wallet={shown} />
            <WalletActivityList wallet={shown} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const DEPLOYMENTS: Readonly<Record<Wallet["deployment_status"], string>> = {
  counterfactual: "Not deployed. The first payment deploys it",
  deploying: "Being deployed",
  deployed: "Deployed",
  failed: "The deployment has failed",
};

function WalletFacts({ wallet }: { readonly wallet: Wallet }) {
  const { wallet_id, chain_id, owner, recovery_address, policy_id, metadata, mode, deployment_status } = wallet;
  const deployment = mode === "test" ? "None. Test mode has no chain" : DEPLOYMENTS[deployment_status];
  const short = (text: string, what: string) => <CopyText text={text} shown={shorten(text)} what={what} />;
  const pairs = Object.entries(metadata).map(([name, value]): [string, string] => [name, value]);
  return (
    <Section title="Details" actions={<EditWallet wallet={wallet} />}>
      <Facts
        facts={[
          ["Wallet id", short(wallet_id, "wallet id")],
          ["Name", wallet.name ?? "None"],
          ["Network", `${formatName(wallet.network.replace("-", " "))} (${chain_id})`],
          ["Account contract", deployment],
          ["Account type", "ERC-4337, version 0.8"],
          ["Owner's key", short(owner, "owner")],
          ["Recovery address", recovery_address === null ? "None" : short(recovery_address, "recovery address")],
          [
            "Policy of its own",
            policy_id === null ? (
              "None"
            ) : (
              <AppLink to={`/policies/${policy_id}`} size="sm">
                {shorten(policy_id)}
              </AppLink>
            ),
          ],
          ["Network fees", "Paid by Purser"],
          ["Created", <Time key="created" at={wallet.created_at} />],
        ]}
      />
      <Text size="sm" fw={600}>
        Metadata
      </Text>
      {pairs.length === 0 ? <Text size="sm">None</Text> : <Facts facts={pairs} />}
    </Section>
  );
}
