import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet, WalletFreezeReport } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { problemOfReport } from "../api/statements.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { Facts } from "../ui/page.tsx";
import { Signature } from "../ui/signature.tsx";
import { Status } from "../ui/values.tsx";
import { FreezeFields, freezeOf, NEW_FREEZE } from "./freeze-fields.tsx";

interface WalletProps {
  readonly wallet: Wallet;
}

/** Freezes and unfreezes the wallet. A freeze on the chain ends with a report and its proof. */
export function FreezeActions({ wallet }: WalletProps) {
  const [report, setReport] = useState<WalletFreezeReport>();
  const { status, freeze } = wallet;
  if (status === "closed") return null;
  const isOnChain = ["pending", "confirmed", "simulated"].includes(freeze.onchain.status);
  const canBeStricter = !freeze.database.frozen || freeze.mode === "outgoing_only";
  return (
    <Group gap="xs">
      {canBeStricter && <Freeze wallet={wallet} />}
      {!isOnChain && status !== "unfreezing" && <Freeze wallet={wallet} reported={setReport} />}
      {freeze.database.frozen && <Unfreeze wallet={wallet} />}
      <FreezeReport report={report} close={() => setReport(undefined)} />
    </Group>
  );
}

/** With `reported`, also on the chain. */
function Freeze({ wallet, reported }: WalletProps & { readonly reported?: (report: WalletFreezeReport) => void }) {
  const [values, setValues] = useState(NEW_FREEZE);
  const title = reported === undefined ? "Freeze wallet" : "Freeze on the chain";
  const freeze = async () => {
    const params = { path: { wallet_id: wallet.wallet_id } };
    const body = freezeOf(values);
    if (reported === undefined) await api.POST("/wallets/{wallet_id}/freeze", { params, body });
    else {
      const { data } = await api.POST("/wallets/{wallet_id}/freeze-on-chain", { params, body });
      if (data !== undefined) reported(data);
    }
    setValues(NEW_FREEZE);
  };
  return (
    <ActionDialog
      title={title}
      button={reported === undefined ? "Freeze" : title}
      buttonProps={{ color: "red", variant: "light" }}
      action={title}
      isDangerous
      typeToConfirm={wallet.address.slice(-6)}
      run={freeze}
    >
      <Text size="sm">
        No payment leaves the wallet from now on. What waits for an approval or a capture is canceled.
        {reported !== undefined &&
          " The account's contract is frozen too, so that nobody can use the wallet's key. This takes up to 20 seconds."}
      </Text>
      <FreezeFields values={values} change={setValues} />
      <Text size="sm">The last six characters of the wallet's address confirm which wallet you mean.</Text>
    </ActionDialog>
  );
}

function Unfreeze({ wallet: { wallet_id, freeze } }: WalletProps) {
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const [reference, setReference] = useState("");
  const unfreeze = async () => {
    const body = { ...(note !== "" && { note }), ...(reference !== "" && { review_reference: reference }) };
    try {
      await api.POST("/wallets/{wallet_id}/unfreeze", { params: { path: { wallet_id } }, body });
    } catch (error) {
      // It may have begun, and take longer.
      await client.invalidateQueries();
      throw error;
    }
  };
  return (
    <ActionDialog
      title="Unfreeze wallet"
      button="Unfreeze"
      buttonProps={{ variant: "default" }}
      action="Unfreeze wallet"
      run={unfreeze}
    >
      {freeze.frozen_by?.type === "admin" && (
        <Alert color="orange">An admin has frozen this wallet. Only an admin can unfreeze it.</Alert>
      )}
      <Text size="sm">
        Payments can leave the wallet again, as the policies allow. If the account is frozen on the chain, it is unfrozen
        there first. Canceled payments stay canceled.
      </Text>
      <Textarea
        label="Note"
        description="For the history of freezes. Optional."
        maxLength={1_000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <TextInput
        label="Reference of the review"
        description="Optional."
        maxLength={200}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </ActionDialog>
  );
}

function FreezeReport({
  report,
  close,
}: {
  readonly report: WalletFreezeReport | undefined;
  readonly close: () => void;
}) {
  return (
    <Modal
      opened={report !== undefined}
      onClose={close}
      title="The wallet is frozen"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {report !== undefined && (
        <Stack>
          <Facts
            facts={[
              ["In Purser", <Status key="purser" status="frozen" />],
              ["On the chain", <Status key="chain" status={report.onchain.status} />],
              ["Payments canceled", report.blocked.payments_canceled],
              ["Operations stopped", report.blocked.user_ops_dropped],
              ["Already executed", report.blocked.user_ops_already_mined],
            ]}
          />
          <Signature
            what="proof"
            signed={{ ...report.proof, hash: report.proof.decision_hash }}
            problemOf={() => problemOfReport(report)}
            file={{ name: `freeze-${report.wallet_id}.json`, content: report }}
            verify="verifyFreezeProof"
          />
          <Button onClick={close} style={{ alignSelf: "end" }}>
            Done
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
