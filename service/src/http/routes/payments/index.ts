import { type Route, withTag } from "../../route.ts";
import { cancelPaymentRoute } from "./cancel-payment.ts";
import { capturePaymentRoute } from "./capture-payment.ts";
import { getPaymentRoute } from "./get-payment.ts";
import { listPaymentsRoute } from "./list-payments.ts";
import { refundPaymentRoute } from "./refund-payment.ts";
import { sendPaymentRoute } from "./send-payment.ts";
import { simulatePaymentRoute } from "./simulate-payment.ts";
import { voidPaymentRoute } from "./void-payment.ts";

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
