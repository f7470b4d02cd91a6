import type { Screen } from "../shell/screen.ts";

export const fiatScreens: readonly Screen[] = [];
