import { Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Wallet, WalletBalance } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";

export function FundWallet({ wallet: { wallet_id, balances } }: { readonly wallet: Wallet }) {
  const [amount, setAmount] = useState("100.00");
  const [token, setToken] = useState<WalletBalance["token"]>("USDC");
  const fund = () =>
    api.POST("/wallets/{wallet_id}/fund", { params: { path: { wallet_id } }, body: { amount, token } });
  return (
    <ActionDialog title="Fund wallet" button="Fund" action="Add test tokens" run={fund}>
      <Text size="sm">Adds up to 10,000 test tokens at a time. They are worth nothing.</Text>
      <TextInput
        label="Amount"
        inputMode="decimal"
        required
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        data-autofocus
      />
      <Select
        label="Token"
        allowDeselect={false}
        data={balances.map((balance) => balance.token)}
        value={token}
        onChange={(value) => value !== null && setToken(value)}
      />
    </ActionDialog>
  );
}
