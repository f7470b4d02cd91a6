import type { DueWork } from "../due-work/due-work.ts";
import { notifyGraceEndings } from "../modules/developers/index.ts";
import { revokeTokens } from "../modules/projects/index.ts";
import { retireDueCredentials } from "./rotate-service/retire-credentials.ts";
import { workOffVendorEvents } from "./work-off-vendor-events.ts";

/** Every kind of due work. Each is a job of the workers. */
export const dueWork: readonly DueWork[] = [
  notifyGraceEndings,
  revokeTokens,
  retireDueCredentials,
  workOffVendorEvents,
];
