import type { Screen } from "../shell/screen.ts";

export const paymentsScreens: readonly Screen[] = [];
