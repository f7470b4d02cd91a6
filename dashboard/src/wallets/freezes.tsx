import { Table, Text } from "@mantine/core";
import type { Wallet, WalletFreeze } from "../api/api-types.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { shorten } from "../ui/names.tsx";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const ON_CHAIN: Readonly<Record<WalletFreeze["onchain"]["status"], string>> = {
  not_frozen: "The account's contract executes what the wallet's key signs.",
  pending: "The transaction that freezes the contract is under way.",
  confirmed: "The contract executes nothing, also not for someone who has the wallet's key.",
  failed: "No block has contained the freeze for ten minutes. Purser goes on. Freeze it again to try for longer.",
  unfreeze_pending: "The contract is being unfrozen.",
  simulated: "Test mode has no chain. In live mode, the contract would now execute nothing.",
};

/** Both layers of a freeze: Purser's own, which binds at once, and that of the account's contract. */
export function Freezes({ wallet: { freeze } }: { readonly wallet: Wallet }) {
  const { frozen } = freeze.database;
  const inPurser = freeze.mode === "outgoing_only" ? "Nothing leaves the wallet. Money can come in." : FULL;
  return (
    <Section title="Freeze">
      <Table layout="auto" aria-label="Layers of the freeze">
        <Table.Tbody>
          <Layer name="In Purser" status={frozen ? "frozen" : "not_frozen"}>
            {frozen ? inPurser : "Payments leave as the policies allow. A freeze here binds at once."}
          </Layer>
          <Layer name="On the chain" status={freeze.onchain.status}>
            {ON_CHAIN[freeze.onchain.status]}
          </Layer>
        </Table.Tbody>
      </Table>
      {frozen && <FreezeFacts freeze={freeze} />}
    </Section>
  );
}

const FULL = "Nothing leaves the wallet, and nothing of your account comes in.";

function Layer({
  name,
  status,
  children,
}: {
  readonly name: string;
  readonly status: string;
  readonly children: string;
}) {
  return (
    <Table.Tr>
      <Table.Th fw={500} style={{ whiteSpace: "nowrap", verticalAlign: "top" }} scope="row">
        {name}
      </Table.Th>
      <Table.Td style={{ verticalAlign: "top" }}>
        <Status status={status} />
        <Text size="sm" mt={4}>
          {children}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function FreezeFacts({ freeze }: { readonly freeze: WalletFreeze }) {
  const { reason, note, reference, frozen_by, frozen_at, expires_at, onchain } = freeze;
  return (
    <Facts
      facts={[
        ["Reason", reason === null ? "None" : formatName(reason)],
        ["Note", note ?? "None"],
        ["Reference", reference ?? "None"],
        ["Frozen by", frozen_by === null ? "–" : formatName(frozen_by.type)],
        ["Frozen", <Time key="at" at={frozen_at} />],
        ["Review", <Time key="review" at={expires_at} none="No date" />],
        [
          "Transaction",
          onchain.tx_hash === null ? (
            "None"
          ) : (
            <CopyText key="tx" text={onchain.tx_hash} shown={shorten(onchain.tx_hash)} what="transaction" />
          ),
        ],
      ]}
    />
  );
}
