import type { Route } from "../../../route.ts";
import { attachPaymentMethodRoute } from "./attach-payment-method.ts";

export const projectBillingRoutes: readonly Route[] = [attachPaymentMethodRoute];
