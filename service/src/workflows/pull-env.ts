import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import { requirePermission } from "../modules/decisions/decisions.ts";
import { type PullEnv, type PulledEnv, pullEnvOfProject } from "../modules/env/pull-env.ts";
import { isProjectInScope } from "../modules/projects/queries.ts";
import { readServiceEnv } from "../modules/services/services.ts";
import type { OperationKind } from "../operations/operation-kind.ts";

/**
 * Returns whether an API key that is bound to agents or projects can read the operation's project. Returns false for a
 * deleted project.
 */
export const canReadProject: OperationKind["canRead"] = async (db, reader, { projectId }) =>
  projectId !== null && (await isProjectInScope(db, { ...reader, projectId }));

/** The agent that acts, in lowercase. Null if the developer does. */
interface Puller {
  readonly actor: Actor;
  readonly agentId: string | null;
}

/**
 * Throws if an agent acts that must not read the project's variables. The transaction that reads the variables must call
 * it, so that no policy and no agent's status changes before these are read.
 */
export async function requirePullPermission(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { actor: { tenantId, mode, requestId }, agentId }: Puller,
  projectId: string,
): Promise<void> {
  if (agentId === null) return;
  await requirePermission(tx, {
    ...{ tenantId, mode, agentId, projectId, at: clock.now() },
    facts: { operation: "env.pull" },
    cause: { causeType: "env_pull", causeId: requestId ?? agentId },
    approvalDetail:
      "A policy of the agent requires an approval, which cannot be requested for env pulls. Use a key that is not bound to agents.",
  });
}

/** Pulls an env bundle. If an agent acts, it must be active, and its policies decide. Throws the errors of both. */
export function pullEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { agentId, ...command }: Omit<PullEnv, "authorize"> & Puller,
): Promise<PulledEnv> {
  const authorize = (tx: Tx) => requirePullPermission(tx, app, { ...command, agentId }, command.key.projectId);
  return pullEnvOfProject(app, { ...command, authorize });
}

/** Returns the variables of a new service. Undefined if an agent acts that must not read them now. */
export async function readAddedEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { service, ...puller }: Puller & { readonly service: Parameters<typeof readServiceEnv>[2] },
): Promise<Awaited<ReturnType<typeof readServiceEnv>> | undefined> {
  const authorize = (tx: Tx) => requirePullPermission(tx, app, puller, service.projectId);
  try {
    return await readServiceEnv(app, puller.actor, service, authorize);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined;
    throw thrown;
  }
}
