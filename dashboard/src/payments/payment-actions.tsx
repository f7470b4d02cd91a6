import { Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { api } from "../api/client.ts";
import { formatAmount, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { ShownPayment } from "./payments.tsx";

interface PaymentProps {
  readonly payment: ShownPayment;
}

/** What can be done with the payment in its status. */
export function PaymentActions({ payment }: PaymentProps) {
  const { status, mode, to } = payment;
  const isPaid = status === "confirmed" || status === "captured" || status === "partially_refunded";
  return (
    <>
      {status === "authorized" && <Transfer payment={payment} name="capture" key="capture" />}
      {status === "authorized" && <Release payment={payment} name="void" />}
      {(status === "requires_approval" || status === "queued") && <Release payment={payment} name="cancel" />}
      {isPaid && mode === "test" && to.wallet_id !== null && (
        <Transfer payment={payment} name="refund" key={payment.refunded_amount} />
      )}
    </>
  );
}

/** Changes the payment, and says what the server has made of it. */
async function change({ payment_id }: ShownPayment, name: "capture" | "void" | "refund" | "cancel", body: object) {
  const { data } = await api.POST(`/payments/{payment_id}/${name}`, { params: { path: { payment_id } }, body });
  if (data !== undefined) notifications.show({ message: `The payment is ${formatName(data.status).toLowerCase()}.` });
}

const RELEASES = {
  void: "Releases everything that is held. The payee gets nothing. This cannot be undone.",
  cancel: "The payment ends, and its approval with it. What is held is released. This cannot be undone.",
} as const;

function Release({ payment, name }: PaymentProps & { readonly name: keyof typeof RELEASES }) {
  const title = `${formatName(name)} payment`;
  return (
    <ActionDialog
      {...{ title, action: title, isDangerous: true, buttonProps: { variant: "default" } }}
      run={() => change(payment, name, {})}
    >
      <Text size="sm">{RELEASES[name]}</Text>
    </ActionDialog>
  );
}

/** Moves a part of the payment or all of it: to the payee, or back. */
function Transfer({ payment, name }: PaymentProps & { readonly name: "capture" | "refund" }) {
  const isRefund = name === "refund";
  const left = isRefund ? subtract(payment.paid_amount ?? "0", payment.refunded_amount) : payment.amount;
  const form = useForm({ initialValues: { amount: left, reason: "" } });
  const { amount, reason } = form.values;
  const most = formatAmount(left, payment.token);
  return (
    <ActionDialog
      title={`${formatName(name)} payment`}
      action={`${formatName(name)} ${formatAmount(amount, payment.token)}`}
      buttonProps={isRefund ? { variant: "default" } : {}}
      run={() => change(payment, name, { amount, ...(reason !== "" && { reason }) })}
    >
      <Text size="sm">
        {isRefund
          ? `Moves at most ${most} from the payee's wallet back to the wallet that paid.`
          : `Pays the payee at most the ${most} that are held, once. The rest is released.`}
      </Text>
      <TextInput label="Amount" inputMode="decimal" required data-autofocus {...form.getInputProps("amount")} />
      {isRefund && (
        <Textarea
          {...{ label: "Reason", description: "For the audit trail. Optional.", maxLength: 500 }}
          {...form.getInputProps("reason")}
        />
      )}
    </ActionDialog>
  );
}

/** Returns the difference of two amounts, which have at most six decimals. */
function subtract(from: string, amount: string): string {
  const units = (text: string) => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(6, "0"));
  };
  const digits = String(units(from) - units(amount)).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
}
