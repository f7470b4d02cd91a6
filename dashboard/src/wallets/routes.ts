import type { Screen } from "../shell/screen.ts";

export const walletsScreens: readonly Screen[] = [];
