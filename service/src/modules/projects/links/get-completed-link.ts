import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { findUsedLinkState, getLinkRow, getProjectName } from "./queries.ts";
import type { SettledLink } from "./receive-oauth-callback.ts";

/** The link that a state has completed or failed, until the state expires. */
export async function getCompletedLink(
  { db, clock }: Pick<App, "db" | "clock">,
  state: string,
): Promise<SettledLink | undefined> {
  const key = await findUsedLinkState(db, { stateHash: sha256Hex(state), at: clock.now() });
  const link = key && (await getLinkRow(db, key));
  if (link?.status !== "linked" && link?.status !== "failed") return undefined;
  return { link, projectName: await getProjectName(db, link), returnTo: null };
}
