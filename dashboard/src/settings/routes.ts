import type { Screen } from "../shell/screen.ts";

export const settingsScreens: readonly Screen[] = [];
