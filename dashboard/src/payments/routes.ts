import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const paymentsScreens: readonly Screen[] = [
  { path: "/payments", component: lazyRouteComponent(() => import("./payments.tsx"), "Payments") },
  { path: "/payments/$paymentId", component: lazyRouteComponent(() => import("./payment.tsx"), "PaymentDetail") },
];
