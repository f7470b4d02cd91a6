import { Alert, Group, Stack, Text } from "@mantine/core";
import { encode } from "uqr";
import type { Wallet } from "../api/api-types.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatNetwork } from "../ui/format.ts";
import { Id } from "../ui/names.tsx";
import { Section } from "../ui/section.tsx";

/** The wallet's address, and how money gets there. */
export function Deposit({ wallet: { address, network, mode, balances } }: { readonly wallet: Wallet }) {
  const contract = balances.find(({ token }) => token === "USDC")?.contract;
  return (
    <Section title={mode === "live" ? "Deposit" : "Address"}>
      <Group align="start">
        <QrCode text={address} />
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

/** Black on white in both schemes, because many cameras cannot read the other way round. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={148} height={148} role="img" aria-label="QR code of the address">
      <rect width={size} height={size} rx={1.5} fill="#fff" />
      <path d={squares.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
