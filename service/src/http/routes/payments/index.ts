import type { Route } from "../../route.ts";
import { getPaymentRoute } from "./get-payment.ts";
import { listPaymentsRoute } from "./list-payments.ts";
import { sendPaymentRoute } from "./send-payment.ts";
import { simulatePaymentRoute } from "./simulate-payment.ts";

export const paymentRoutes: readonly Route[] = [
  sendPaymentRoute,
  simulatePaymentRoute,
  listPaymentsRoute,
  getPaymentRoute,
];
