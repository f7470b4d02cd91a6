import { Alert, Group, Stack, Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatNetwork } from "../ui/format.ts";
import { Id } from "../ui/names.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { Section } from "../ui/section.tsx";

/** The wallet's address, and how money gets there. */
export function Deposit({ wallet: { address, network, mode, balances } }: { readonly wallet: Wallet }) {
  const contract = balances.find(({ token }) => token === "USDC")?.contract;
  return (
    <Section title={mode === "live" ? "Deposit" : "Address"}>
      <Group align="start">
        <QrCode text={address} label="QR code of the address" width={148} />
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
