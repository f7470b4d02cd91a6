export { getPayment, requirePaymentLocked, requirePaymentLockedIf } from "./get-payment.ts";
export { listPayments } from "./list-payments.ts";
export {
  PaymentResource,
  type PresentedPayment,
  presentPayment,
  statusAt,
} from "./payment-resource.ts";
export {
  type DuePayment,
  insertPaidPayee,
  listDuePayments,
  listExpiredAuthorizations,
  listPaymentsOfFrozenWallets,
  listWaitingPayments,
  lockPayment,
  type Payment,
  type PaymentScope,
  updatePayment,
  type WaitingPayment,
} from "./queries.ts";
export { paymentRecordOf, recordPaymentChange } from "./record-payment-change.ts";
