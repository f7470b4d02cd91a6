import type { Screen } from "../shell/screen.ts";

export const providerKeysScreens: readonly Screen[] = [];
