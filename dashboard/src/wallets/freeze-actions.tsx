import { Alert, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet, WalletFreezeReport } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { Facts } from "../ui/page.tsx";
import { Proof } from "../ui/signature.tsx";
import { Status } from "../ui/values.tsx";
import { FreezeFields, freezeOf, useFreezeForm } from "./freeze-fields.tsx";

interface WalletProps {
  readonly wallet: Wallet;
}

/** Freezes and unfreezes the wallet. A freeze on the chain ends with a report and its proof. */
export function FreezeActions({ wallet }: WalletProps) {
  const [report, setReport] = useState<WalletFreezeReport>();
  const { status, freeze } = wallet;
  const { frozen } = freeze.database;
  const isThawedOnChain = freeze.onchain.status === "not_frozen" || freeze.onchain.status === "failed";
  const close = () => setReport(undefined);
  return (
    <>
      {(!frozen || freeze.mode === "outgoing_only") && <Freeze wallet={wallet} />}
      {isThawedOnChain && status !== "unfreezing" && <Freeze wallet={wallet} reported={setReport} />}
      {frozen && <Unfreeze wallet={wallet} />}
      <Modal
        opened={report !== undefined}
        onClose={close}
        title="The wallet is frozen"
        size="lg"
        closeButtonProps={CLOSE}
      >
        {report && <Report report={report} />}
      </Modal>
    </>
  );
}

const CLOSE = { "aria-label": "Close" };

/** With `reported`, also on the chain. */
function Freeze({ wallet, reported }: WalletProps & { readonly reported?: (report: WalletFreezeReport) => void }) {
  const form = useFreezeForm();
  const title = reported ? "Freeze on the chain" : "Freeze wallet";
  const freeze = async () => {
    const call = { params: { path: { wallet_id: wallet.wallet_id } }, body: freezeOf(form.values) };
    if (reported === undefined) return api.POST("/wallets/{wallet_id}/freeze", call);
    const { data } = await api.POST("/wallets/{wallet_id}/freeze-on-chain", call);
    return data && reported(data);
  };
  return (
    <ActionDialog
      {...{ title, action: title, isDangerous: true, buttonProps: { color: "red", variant: "light" } }}
      typeToConfirm={wallet.address.slice(-6)}
      run={freeze}
    >
      <Text size="sm">
        No payment leaves the wallet from now on. What waits for an approval or a capture is canceled.
        {reported && " The account's contract is frozen too, so that no one can use the wallet's key."}
      </Text>
      <FreezeFields form={form} />
      <Text size="sm">The last six characters of the wallet's address confirm which wallet you mean.</Text>
    </ActionDialog>
  );
}

function Unfreeze({ wallet: { wallet_id, freeze } }: WalletProps) {
  const client = useQueryClient();
  const form = useForm({ initialValues: { note: "", review_reference: "" } });
  const unfreeze = () => {
    const body = Object.fromEntries(Object.entries(form.values).filter(([, text]) => text !== ""));
    // If it fails, it may have begun on the chain.
    return api
      .POST("/wallets/{wallet_id}/unfreeze", { params: { path: { wallet_id } }, body })
      .finally(() => client.invalidateQueries());
  };
  const title = "Unfreeze wallet";
  return (
    <ActionDialog {...{ title, action: title, buttonProps: { variant: "default" }, run: unfreeze }}>
      {freeze.frozen_by?.type === "admin" && (
        <Alert color="orange">An admin has frozen this wallet. Only an admin can unfreeze it.</Alert>
      )}
      <Text size="sm">
        Payments can leave the wallet again, as the policies allow. If its account is frozen on the chain, it is
        unfrozen there first. What was canceled stays canceled.
      </Text>
      <Textarea label="Note" maxLength={1_000} {...form.getInputProps("note")} />
      <TextInput label="Reference of the review" maxLength={200} {...form.getInputProps("review_reference")} />
    </ActionDialog>
  );
}

function Report({ report }: { readonly report: WalletFreezeReport }) {
  const { onchain, blocked, wallet_id } = report;
  return (
    <Stack>
      <Facts
        facts={[
          ["On the chain", <Status key="chain" status={onchain.status} />],
          ["Payments canceled", blocked.payments_canceled],
          ["Operations stopped", blocked.user_ops_dropped],
          ["Already executed", blocked.user_ops_already_mined],
        ]}
      />
      <Proof report={report} name={`freeze-${wallet_id}.json`} />
    </Stack>
  );
}
