import { Alert, Modal, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet, WalletFreezeReport, WalletFreezeRequest } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Field, filledIn } from "../ui/forms/fields.tsx";
import { Facts } from "../ui/page.tsx";
import { Proof } from "../ui/signature.tsx";
import { Status } from "../ui/values.tsx";

interface WalletProps {
  readonly wallet: Wallet;
}

/** Freezes and unfreezes the wallet. A freeze on the chain ends with a report and its proof. */
export function FreezeActions({ wallet }: WalletProps) {
  const [report, setReport] = useState<WalletFreezeReport>();
  const { status, freeze } = wallet;
  const { frozen } = freeze.database;
  const isThawedOnChain = freeze.onchain.status === "not_frozen" || freeze.onchain.status === "failed";
  return (
    <>
      {(!frozen || freeze.mode === "outgoing_only") && <Freeze wallet={wallet} />}
      {isThawedOnChain && status !== "unfreezing" && <Freeze wallet={wallet} reported={setReport} />}
      {frozen && <Unfreeze wallet={wallet} />}
      <Modal
        {...{ opened: report !== undefined, onClose: () => setReport(undefined) }}
        {...{ title: "The wallet is frozen", size: "lg", closeButtonProps: { "aria-label": "Close" } }}
      >
        {report && <Report report={report} />}
      </Modal>
    </>
  );
}

const FREEZE_TEXT =
  "No payment leaves the wallet from now on. What waits for an approval or a capture is canceled. The last six characters of the wallet's address confirm which wallet you mean.";
const CHAIN_TEXTS = {
  live: " The account's contract is frozen too, so that no one can use the wallet's key.",
  test: " Test mode has no chain: the freeze of the account's contract is simulated.",
};

const LIKELY = "suspected_compromise";

/** With `reported`, also on the chain. */
function Freeze({ wallet, reported }: WalletProps & { reported?: (report: WalletFreezeReport | undefined) => void }) {
  const title = reported ? "Freeze on the chain" : "Freeze wallet";
  const params = { path: { wallet_id: wallet.wallet_id } };
  const fields = FREEZE_FIELDS.map((field) => (field.name === "reason" ? { ...field, defaultValue: LIKELY } : field));
  return (
    <ActionDialog
      {...{ title, action: title, fields, text: FREEZE_TEXT + (reported ? CHAIN_TEXTS[wallet.mode] : "") }}
      typeToConfirm={wallet.address.slice(-6)}
      run={async (values) => {
        const call = { params, body: freezeOf(values) };
        if (reported === undefined) return api.POST("/wallets/{wallet_id}/freeze", call);
        return reported((await api.POST("/wallets/{wallet_id}/freeze-on-chain", call)).data);
      }}
    />
  );
}

const UNFREEZE_TEXT =
  "Payments can leave the wallet again, as the policies allow. If its account is frozen on the chain, it is unfrozen there first. What was canceled stays canceled.";

function Unfreeze({ wallet: { wallet_id, freeze } }: WalletProps) {
  const client = useQueryClient();
  const title = "Unfreeze wallet";
  return (
    <ActionDialog
      {...{ title, action: title, buttonProps: { variant: "default" }, text: UNFREEZE_TEXT }}
      fields={[
        {
          name: "note",
          label: "Note",
          input: "lines",
          maxLength: 1_000,
          required: freeze.reason === "other",
        },
        { name: "review_reference", label: "Reference of the review", maxLength: 200 },
      ]}
      run={(values) =>
        api
          .POST("/wallets/{wallet_id}/unfreeze", { params: { path: { wallet_id } }, body: filledIn(values) })
          // If it fails, it may have begun on the chain.
          .finally(() => client.invalidateQueries())
      }
    >
      {freeze.frozen_by?.type === "admin" && (
        <Alert color="orange">An admin has frozen this wallet. Only an admin can unfreeze it.</Alert>
      )}
    </ActionDialog>
  );
}

function Report({ report }: { report: WalletFreezeReport }) {
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

const REASONS: readonly WalletFreezeRequest["reason"][] = [
  ...(["suspected_compromise", "anomaly", "policy_violation", "compliance", "compliance_review"] as const),
  ...(["sanctions_match", "legal_order", "user_request", "other"] as const),
];

const CHOICES = REASONS.map((value) => ({ value, label: formatName(value) }));

/** Why a wallet is frozen or unfrozen. */
export const WHY_FIELDS: readonly Field<"reason" | "note" | "reference">[] = [
  { name: "reason", label: "Reason", input: "one", required: true, data: CHOICES },
  { name: "note", label: "Note", input: "lines", maxLength: 1_000 },
  { name: "reference", label: "Reference", placeholder: "A case number", maxLength: 200 },
];

type Name = "reason" | "note" | "reference" | "review" | "full" | "all";

export const FREEZE_FIELDS: readonly Field<Name>[] = [
  ...WHY_FIELDS,
  { name: "review", label: "Review on", type: "date", description: "A reminder. The freeze does not end then." },
  { name: "full", label: "Also refuse money of the account's other wallets", input: "check", defaultChecked: true },
  { name: "all", label: "Freeze all wallets of this agent", input: "check" },
];

export function freezeOf({ review, full, all, ...why }: Readonly<Record<Name, string>>): WalletFreezeRequest {
  return {
    ...(filledIn(why) as Pick<WalletFreezeRequest, "reason">),
    mode: full ? "full" : "outgoing_only",
    scope: all ? "agent" : "wallet",
    ...(review !== "" && { expires_at: new Date(`${review}T00:00`).toISOString() }),
  };
}
