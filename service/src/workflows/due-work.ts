import type { DueWork } from "../due-work/due-work.ts";
import { retireDueCredentials } from "./rotate-service/retire-credentials.ts";

/** Every kind of due work. Each is a job of the workers. */
export const dueWork: readonly DueWork[] = [retireDueCredentials];
