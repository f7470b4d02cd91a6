import { lazyRouteComponent } from "@tanstack/react-router";
import type { Screen } from "../shell/screen.ts";

export const fiatScreens: readonly Screen[] = [
  { path: "/fiat", component: lazyRouteComponent(() => import("./fiat.tsx"), "Fiat") },
  { path: "/fiat/link", component: lazyRouteComponent(() => import("./link-bank.tsx"), "LinkBank") },
  { path: "/fiat/on-ramp", component: lazyRouteComponent(() => import("./convert.tsx"), "OnRamp") },
  { path: "/fiat/off-ramp", component: lazyRouteComponent(() => import("./convert.tsx"), "OffRamp") },
  {
    path: "/fiat/conversions/$conversionId",
    component: lazyRouteComponent(() => import("./conversion.tsx"), "ConversionScreen"),
  },
];
