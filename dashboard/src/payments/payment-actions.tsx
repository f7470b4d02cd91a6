import { api } from "../api/client.ts";
import { formatAmount, formatName, subtract } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn, REASON } from "../ui/forms/fields.tsx";
import { notifyDone } from "../ui/forms/submit-form.tsx";
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
  if (data !== undefined) notifyDone(`The payment is ${formatName(data.status).toLowerCase()}.`);
}

const RELEASES = {
  void: "Releases everything that is held. The payee gets nothing. This cannot be undone.",
  cancel: "The payment ends, and its approval with it. What is held is released. This cannot be undone.",
} as const;

function Release({ payment, name }: PaymentProps & { name: keyof typeof RELEASES }) {
  const title = `${formatName(name)} payment`;
  return (
    <ActionDialog
      {...{ title, action: title, isDangerous: true, text: RELEASES[name] }}
      run={() => change(payment, name, {})}
    />
  );
}

/** Moves a part of the payment or all of it: to the payee, or back. */
function Transfer({ payment, name }: PaymentProps & { name: "capture" | "refund" }) {
  const isRefund = name === "refund";
  const left = isRefund ? subtract(payment.paid_amount ?? "0", payment.refunded_amount) : payment.amount;
  const most = formatAmount(left, payment.token);
  const text = isRefund
    ? `Moves at most ${most} from the payee's wallet back to the wallet that paid.`
    : `Pays the payee at most the ${most} that are held, once. The rest is released.`;
  const title = `${formatName(name)} payment`;
  const amount = { name: "amount", label: "Amount", inputMode: "decimal", required: true, defaultValue: left } as const;
  return (
    <ActionDialog
      {...{ title, action: title, text, fields: isRefund ? [amount, REASON] : [amount] }}
      buttonProps={isRefund ? { variant: "default" } : {}}
      run={(values) => change(payment, name, filledIn(values))}
    />
  );
}
