export { getPayment, requirePaymentLocked } from "./get-payment.ts";
export { listPayments } from "./list-payments.ts";
export {
  PaidPayee,
  PaymentFee,
  PaymentResource,
  PolicyVerdict,
  type PresentedPayment,
  presentPayment,
  presentVerdict,
  statusAt,
  TEST_FEES,
} from "./payment-resource.ts";
export { type Payment, updatePayment } from "./queries.ts";
export { paymentRecordOf, recordPaymentChange } from "./record-payment-change.ts";
