import { type Route, withTag } from "../../route.ts";
import { getPaymentRoute, listPaymentsRoute } from "./read-payments.ts";
import { sendPaymentRoute } from "./send-payment.ts";
import { cancelPaymentRoute, capturePaymentRoute, refundPaymentRoute, voidPaymentRoute } from "./settle-payment.ts";
import { simulatePaymentRoute } from "./simulate-payment.ts";

export const paymentRoutes: readonly Route[] = withTag("Payments", [
  sendPaymentRoute,
  simulatePaymentRoute,
  listPaymentsRoute,
  getPaymentRoute,
  capturePaymentRoute,
  voidPaymentRoute,
  refundPaymentRoute,
  cancelPaymentRoute,
]);
