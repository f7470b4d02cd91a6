import type { App } from "../app.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { getDeveloper } from "../modules/developers/index.ts";
import { requestAccount, type StartedLink, type StartLink, startLink } from "../modules/projects/index.ts";

/**
 * Starts linking a project to a provider. A provider that creates accounts is asked for one with the developer's address,
 * so the link is usually completed when this returns. Throws the errors of `startLink`.
 */
export async function linkProvider(
  app: App,
  command: StartLink,
  saveResponse: SaveResponse<StartedLink>,
): Promise<StartedLink> {
  const started = await startLink(app, command, saveResponse);
  if (app.providers.get(command.provider)?.requestAccount === undefined) return started;
  const { actor } = command;
  const { tenantId } = command.key;
  const { email } = await getDeveloper(app.db, tenantId);
  await requestAccount(app, { actor, tenantId, linkId: started.linkId, email });
  return started;
}
