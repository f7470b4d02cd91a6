import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { findLinkState, getProjectName, linkRows } from "./queries.ts";
import type { FinishedLink } from "./receive-oauth-callback.ts";

/**
 * Returns the link whose OAuth callback used this state, if its status is `linked` or `failed`. Undefined if there is
 * no such link, or if the state has expired.
 */
export async function getCompletedLink(
  { db, clock }: Pick<App, "db" | "clock">,
  state: string,
): Promise<FinishedLink | undefined> {
  const key = await findLinkState(db, { stateHash: sha256Hex(state), at: clock.now(), isUsed: true });
  const link = key && (await linkRows.find(db, key));
  if (link?.status !== "linked" && link?.status !== "failed") return undefined;
  return { link, projectName: await getProjectName(db, link), returnTo: null };
}
