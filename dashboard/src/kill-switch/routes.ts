import type { Screen } from "../shell/screen.ts";

export const killSwitchScreens: readonly Screen[] = [];
