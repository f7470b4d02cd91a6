import { Group, Text } from "@mantine/core";
import type { WalletFreeze } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { Id } from "../ui/names.tsx";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

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
export function Freezes({ freeze }: { freeze: WalletFreeze }) {
  const { database, onchain, mode, reason, note, reference, frozen_by, frozen_at, expires_at } = freeze;
  const layers = [
    ["In Purser", database.frozen ? "frozen" : "not_frozen", IN_PURSER[mode ?? "none"]],
    ["On the chain", onchain.status, ON_CHAIN[onchain.status]],
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
            ["Note", note ?? "None"],
            ["Reference", reference ?? "None"],
            ["Frozen by", formatName(frozen_by?.type ?? "unknown")],
            ["Frozen", <Time key="at" at={frozen_at} />],
            ["Review", <Time key="review" at={expires_at} none="No date" />],
            [
              "Transaction",
              onchain.tx_hash === null ? "None" : <Id key="tx" text={onchain.tx_hash} what="transaction" />,
            ],
          ]}
        />
      )}
    </Section>
  );
}
