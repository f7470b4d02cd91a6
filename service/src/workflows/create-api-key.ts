import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { type GrantApiKey, grantApiKey, type IssuedApiKey } from "../modules/developers/index.ts";
import { listKnownProjectIds } from "../modules/projects/index.ts";

/**
 * Issues an API key. Throws the errors of `grantApiKey`, and `validation_error` if one of `projectIds` is not a project
 * of the tenant in the key's mode. If a project is deleted concurrently, the key is still issued but cannot access that
 * project.
 */
export async function createApiKey(
  app: App,
  command: GrantApiKey,
  saveResponse: SaveResponse<IssuedApiKey>,
): Promise<IssuedApiKey> {
  // A test key must not create a live key, and `grantApiKey` rejects such a call. The project check is skipped in this
  // case, because its errors would reveal which live projects exist.
  const { actor, mode } = command;
  const isBeyondKey = actor.actor.key_id !== null && actor.mode === "test" && mode === "live";
  if (!isBeyondKey) await rejectUnknownProjects(app, command);
  return grantApiKey(app, command, saveResponse);
}

async function rejectUnknownProjects(
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
