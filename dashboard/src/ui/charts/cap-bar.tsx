import { Progress, Stack, Text } from "@mantine/core";
import { Amount, Dimmed } from "../values.tsx";

interface ShareBarProps {
  readonly spent: string;
  readonly reserved: string;
  readonly limit: string;
  /** Names the bar for screen readers: `Spent of the cap of Atlas`. */
  readonly label: string;
}

/** A bar with what is spent and what is reserved of a limit. Amounts themselves are never floating-point numbers. */
export function ShareBar({ spent, reserved, limit, label }: ShareBarProps) {
  const percent = (amount: string) => (Number(limit) > 0 ? Math.min(100, (Number(amount) / Number(limit)) * 100) : 0);
  const [spentPercent, reservedPercent] = [percent(spent), percent(reserved)];
  const used = spentPercent + reservedPercent;
  const color = used >= 100 ? "red" : used >= 80 ? "orange" : "indigo";
  const rest = Math.min(reservedPercent, 100 - spentPercent);
  return (
    <Progress.Root size="sm">
      <Progress.Section value={spentPercent} color={color} aria-label={label} />
      <Progress.Section value={rest} color="indigo.3" aria-label={`Reserved: ${label}`} />
    </Progress.Root>
  );
}

/** What is spent and reserved of a monthly cap: the amounts, and a bar with both. Without a cap, only the amounts. */
export function CapBar({ cap, ...shares }: Omit<ShareBarProps, "limit"> & { readonly cap: string | null }) {
  return (
    <Stack gap={4} miw={120} maw={320}>
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>
        <Amount amount={shares.spent} currency={cap === null ? "USD" : undefined} />
        {cap !== null && " of "}
        {cap !== null && <Amount amount={cap} currency="USD" />}
      </Text>
      {cap !== null && <ShareBar {...shares} limit={cap} />}
      {Number(shares.reserved) > 0 && (
        <Dimmed>
          <Amount amount={shares.reserved} currency="USD" /> reserved
        </Dimmed>
      )}
    </Stack>
  );
}
