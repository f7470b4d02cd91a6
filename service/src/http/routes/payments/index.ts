import type { Route } from "../../route.ts";
import { cancelPaymentRoute } from "./cancel-payment.ts";
import { capturePaymentRoute } from "./capture-payment.ts";
import { refundPaymentRoute } from "./refund-payment.ts";
import { voidPaymentRoute } from "./void-payment.ts";

export const paymentRoutes: readonly Route[] = [
  capturePaymentRoute,
  voidPaymentRoute,
  refundPaymentRoute,
  cancelPaymentRoute,
];
