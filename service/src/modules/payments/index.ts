export {
  cancelPayment,
  capturePayment,
  forgetPaymentBalances,
  refundPayment,
  voidPayment,
} from "./change-payment.ts";
export {
  cancelFrozenPayments,
  cancelPaymentsOf,
  cancelWaitingPayment,
  expirePayments,
  releaseExpiredHolds,
} from "./end-waiting-payments.ts";
export { PaymentResource, type PresentedPayment, presentPayment } from "./payment-resource.ts";
export { lockPayment, type Payment, type PaymentScope } from "./queries.ts";
export { getPayment, listPayments } from "./read-payments.ts";
export {
  AUTHORIZATION_MAX_MS,
  type PaymentChange,
  paymentRecordOf,
  requireSettler,
  settledByLedger,
  settlePayment,
} from "./settle-payment.ts";
export { refusalOfSpend, type Spend, spend, spendWithNextStatement } from "./spend/spend.ts";
