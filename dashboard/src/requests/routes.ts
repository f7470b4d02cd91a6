import type { Screen } from "../shell/screen.ts";

export const requestsScreens: readonly Screen[] = [];
