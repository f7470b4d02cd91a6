import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { requireActiveAgent } from "../modules/agents/agents.ts";
import { type GrantApiKey, grantApiKey, type IssuedApiKey } from "../modules/developers/keys/api-keys.ts";
import { listKnownProjectIds } from "../modules/projects/queries.ts";

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

export interface CreateAgentKey extends Omit<GrantApiKey, "mode" | "agentIds"> {
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/**
 * Issues an API key that is bound to one agent and has its mode. Throws `agent_not_found`, `agent_suspended` if the agent
 * or one of its ancestors is not active, and the errors of `createApiKey`.
 */
export async function createAgentKey(
  app: App,
  { agentId, ...command }: CreateAgentKey,
  saveResponse: SaveResponse<IssuedApiKey>,
): Promise<IssuedApiKey> {
  const { tenantId, mode } = command.actor;
  const key = { tenantId, mode, agentId };
  await requireActiveAgent(app.db, key, app.clock.now());
  return createApiKey(app, { ...command, mode, agentIds: [agentId] }, async (tx, issued) => {
    // A revocation and this transaction lock the account, so they cannot overlap. The key of an agent that has been
    // revoked since the first check would never be revoked.
    await requireActiveAgent(tx, key, app.clock.now());
    await saveResponse(tx, issued);
  });
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
