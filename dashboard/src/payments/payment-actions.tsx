import { Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import type { ShownPayment } from "./shown-payment.ts";

interface PaymentProps {
  readonly payment: ShownPayment;
}

/** What can be done with the payment in its status. */
export function PaymentActions({ payment }: PaymentProps) {
  const { status } = payment;
  return (
    <Group gap="xs">
      {status === "authorized" && <Capture payment={payment} />}
      {status === "authorized" && <Release payment={payment} how="void" />}
      {(status === "requires_approval" || status === "queued") && <Release payment={payment} how="cancel" />}
      {isRefundable(payment) && <Refund payment={payment} />}
    </Group>
  );
}

/** Money comes back only from another wallet of the account, and not in live mode. */
function isRefundable({ status, mode, to }: ShownPayment): boolean {
  const isPaid = status === "confirmed" || status === "captured" || status === "partially_refunded";
  return isPaid && mode === "test" && to.wallet_id !== null;
}

function pathOf({ payment_id }: ShownPayment) {
  return { path: { payment_id } };
}

/** Says what the server has made of the payment. */
function showOutcome(payment: ShownPayment | undefined): void {
  if (payment === undefined) return;
  notifications.show({ message: `The payment is ${formatName(payment.status).toLowerCase()}.` });
}

function Capture({ payment }: PaymentProps) {
  const [amount, setAmount] = useState(payment.amount);
  const capture = async () => {
    const { data } = await api.POST("/payments/{payment_id}/capture", { params: pathOf(payment), body: { amount } });
    showOutcome(data);
  };
  return (
    <ActionDialog title="Capture payment" button="Capture" action="Capture" run={capture}>
      <Text size="sm">
        Pays the payee at most the {formatAmount(payment.amount, payment.token)} that are held, once. The rest is
        released.
      </Text>
      <AmountInput label="Amount to capture" token={payment.token} value={amount} change={setAmount} />
    </ActionDialog>
  );
}

const RELEASES = {
  void: {
    title: "Void payment",
    button: "Void",
    text: "Releases everything that is held. The payee gets nothing. This cannot be undone.",
  },
  cancel: {
    title: "Cancel payment",
    button: "Cancel payment",
    text: "The payment ends, and its approval with it. What is held is released. This cannot be undone.",
  },
} as const;

function Release({ payment, how }: PaymentProps & { readonly how: "void" | "cancel" }) {
  const { title, button, text } = RELEASES[how];
  const release = async () => {
    const { data } = await api.POST(`/payments/{payment_id}/${how}`, { params: pathOf(payment), body: {} });
    showOutcome(data);
  };
  return (
    <ActionDialog
      title={title}
      button={button}
      buttonProps={{ variant: "default" }}
      action={title}
      isDangerous
      run={release}
    >
      <Text size="sm">{text}</Text>
    </ActionDialog>
  );
}

function Refund({ payment }: PaymentProps) {
  const { token } = payment;
  const left = subtract(payment.paid_amount ?? "0", payment.refunded_amount);
  const [amount, setAmount] = useState(left);
  const [reason, setReason] = useState("");
  const refund = async () => {
    const body = { amount, ...(reason !== "" && { reason }) };
    const { data } = await api.POST("/payments/{payment_id}/refund", { params: pathOf(payment), body });
    showOutcome(data);
  };
  return (
    <ActionDialog
      title="Refund payment"
      button="Refund"
      buttonProps={{ variant: "default" }}
      action="Refund"
      run={refund}
    >
      <Stack gap="sm">
        <Text size="sm">
          Moves money from the payee's wallet back to the wallet that paid: at most {formatAmount(left, token)}.
        </Text>
        <AmountInput label="Amount to refund" token={token} value={amount} change={setAmount} />
        <Textarea
          label="Reason"
          description="For the audit trail. Optional."
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Stack>
    </ActionDialog>
  );
}

/** Returns the difference of two decimal strings with at most six decimals, the smallest unit of the tokens. */
function subtract(from: string, amount: string): string {
  const units = (text: string) => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(6, "0"));
  };
  const digits = String(units(from) - units(amount)).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
}

function AmountInput({
  label,
  token,
  value,
  change,
}: {
  readonly label: string;
  readonly token: string;
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      required
      pattern="[0-9]+([.][0-9]{1,6})?"
      title="A number such as 12.50"
      rightSection={<Text size="sm">{token}</Text>}
      rightSectionWidth={64}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      data-autofocus
    />
  );
}
