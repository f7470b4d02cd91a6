import type { Screen } from "../shell/screen.ts";

export const policiesScreens: readonly Screen[] = [];
