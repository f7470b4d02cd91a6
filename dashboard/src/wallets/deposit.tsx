import { Alert, Group, Stack, Text } from "@mantine/core";
import { encode } from "uqr";
import type { Wallet } from "../api/api-types.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { shorten } from "../ui/names.tsx";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";

/** The wallet's address, and how money gets there. */
export function Deposit({ wallet: { address, network, mode, balances } }: { readonly wallet: Wallet }) {
  const contract = balances.find(({ token }) => token === "USDC")?.contract;
  const isLive = mode === "live";
  return (
    <Section title={isLive ? "Deposit" : "Address"}>
      <Group align="start">
        <QrCode text={address} label={`QR code of the address ${address}`} />
        <Stack gap="xs" flex={1} miw={200}>
          <CopyText text={address} what="address" />
          {isLive ? (
            <Text size="sm">
              Send only <strong>USDC</strong> on <strong>{formatName(network.replace("-", " "))}</strong> to this
              address. Anything else may be lost. The deposit appears in the activity at once, and can be spent when its
              block is final.
            </Text>
          ) : (
            <Alert color="orange" py="xs">
              This is a test wallet without a chain behind it. Do not send tokens to this address: they would be lost.
              Add test tokens with “Fund”.
            </Alert>
          )}
        </Stack>
      </Group>
      {isLive && typeof contract === "string" && (
        <Facts
          facts={[
            ["Token", "USDC"],
            ["Contract of USDC", <CopyText key="usdc" text={contract} shown={shorten(contract)} what="contract" />],
          ]}
        />
      )}
    </Section>
  );
}

/** Black on white in both schemes, because many cameras cannot read the other way round. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={148} height={148} role="img" aria-label={label}>
      <rect width={size} height={size} rx={1.5} fill="#fff" />
      <path d={squares.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
