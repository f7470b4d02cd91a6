import type { Static } from "typebox";
import type { App } from "../app.ts";
import { countCall, enforceCallLimit } from "../call-limits/count-call.ts";
import { QUOTAS } from "../foundation/wire/quotas.ts";
import { type LoginProof, requireRecentLogin } from "../modules/developers/sessions/require-recent-login.ts";
import { type CompareEnv, compareEnvOfProject, type EnvComparisonResource } from "../modules/env/compare-env.ts";

/** Without a limit, a stolen session could find weak values by guessing. */
const COMPARISONS = { limit: QUOTAS.envComparisons.max, windowMs: 60_000 };

/**
 * Compares values with those of an environment. Throws `reauthentication_required`, `rate_limited`, and what
 * `compareEnvOfProject` throws.
 */
export async function compareEnv(
  app: App,
  { proof, ...command }: CompareEnv & { readonly proof: LoginProof },
): Promise<Static<typeof EnvComparisonResource>> {
  const { actor } = command;
  await requireRecentLogin(app, actor, proof);
  enforceCallLimit(await countCall(app, `env-comparisons:${actor.tenantId}`, COMPARISONS));
  return compareEnvOfProject(app, command);
}
