import type { Screen } from "../shell/screen.ts";

export const projectsScreens: readonly Screen[] = [];
