import type { Screen } from "../shell/screen.ts";

export const auditScreens: readonly Screen[] = [];
