import type { Screen } from "../shell/screen.ts";

export const approvalsScreens: readonly Screen[] = [];
