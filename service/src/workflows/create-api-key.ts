import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { type GrantApiKey, grantApiKey, type IssuedApiKey } from "../modules/developers/index.ts";
import { listKnownProjectIds } from "../modules/projects/index.ts";

/**
 * Issues a key, bound to projects that are there. One that is deleted meanwhile leaves a key that does not reach it. Throws
 * what `grantApiKey` throws, and `validation_error` for a project that is not the tenant's in the key's mode.
 */
export async function createApiKey(
  app: App,
  command: GrantApiKey,
  saveResponse: SaveResponse<IssuedApiKey>,
): Promise<IssuedApiKey> {
  // A test key that gets no live key is not told which live projects there are either.
  const { actor, mode } = command;
  const isBeyondKey = actor.actor.key_id !== null && actor.mode === "test" && mode === "live";
  if (!isBeyondKey) await refuseUnknownProjects(app, command);
  return grantApiKey(app, command, saveResponse);
}

async function refuseUnknownProjects(
  { db }: Pick<App, "db">,
  { actor: { tenantId }, mode, projectIds = [] }: GrantApiKey,
): Promise<void> {
  const known = await listKnownProjectIds(db, { tenantId, mode, projectIds });
  const errors = projectIds.flatMap((projectId, index) =>
    known.includes(projectId)
      ? []
      : [
          {
            pointer: `/body/project_ids/${index}`,
            code: "unknown",
            detail: `is not a ${mode} project of this account`,
          },
        ],
  );
  if (errors.length > 0) throw new AppError("validation_error", { errors });
}
