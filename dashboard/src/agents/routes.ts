import type { Screen } from "../shell/screen.ts";

export const agentsScreens: readonly Screen[] = [];
