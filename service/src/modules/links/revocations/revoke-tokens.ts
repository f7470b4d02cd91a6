import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { DueWork, Finish } from "../../../due-work/due-work.ts";
import type { DueItem } from "../../../due-work/queries.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { openVault } from "../../../vault/vault.ts";
import { openAccess } from "../link-secrets.ts";
import { appendLinkEntry } from "../links.ts";
import { type Link, linkRows } from "../queries.ts";
import { findRevocation, isAccountLinked, REVOKE_TOKENS, revocationRows, type TokenRevocation } from "./queries.ts";

interface Tokens extends TokenRevocation {
  readonly link: Link;
}

/** Revokes the tokens of ended links at their providers. Gives up after seven days. */
export const revokeTokens: DueWork = {
  ...REVOKE_TOKENS,
  everyMs: 5_000,
  retryMs: { first: 60_000, max: 6 * 3_600_000 },
  stopsAtFailure: true,
  run: async (app, item) => {
    const tokens = await getTokens(app, item);
    return discard(app, tokens, (await revoke(app, tokens)) ? "link.tokens_revoked" : null);
  },
  giveUp: {
    afterMs: 7 * 24 * 3_600_000,
    finish: async (app, item) => discard(app, await getTokens(app, item), "link.tokens_not_revoked"),
  },
};

async function getTokens({ db }: Pick<App, "db">, item: DueItem): Promise<Tokens> {
  const tokens = await findRevocation(db, item);
  const link = tokens && (await linkRows.find(db, tokens));
  invariant(tokens !== undefined && link !== undefined, "the tokens are deleted together with their item");
  return { ...tokens, link };
}

/**
 * Returns false if there is nothing to revoke: the provider cannot revoke tokens, or another link uses the account. Its
 * tokens can become invalid too, because a provider may end the app's whole authorization. A link that is completed during
 * the call is not seen; the developer then has to link the account again.
 */
async function revoke(app: App, tokens: Tokens): Promise<boolean> {
  const { tenantId, linkId, version, link, accountId, accountLabel } = tokens;
  const { provider } = link;
  const revokeToken = app.providers.get(provider)?.oauth?.revoke;
  if (revokeToken === undefined) return false;
  const vault = await openVault(app, tenantId);
  const { refreshToken } = openAccess(vault, { linkId, version }, tokens.accessSealed);
  if (refreshToken === null) return false;
  if (await isAccountLinked(app.db, { tenantId, provider, accountId, accountLabel })) return false;
  await revokeToken(refreshToken);
  return true;
}

/** Deletes the tokens, and writes the audit entry if there is one. */
function discard(
  { clock }: Pick<App, "clock">,
  tokens: Tokens,
  action: "link.tokens_revoked" | "link.tokens_not_revoked" | null,
): Finish {
  return async (tx) => {
    await revocationRows.remove(tx, tokens);
    const { link } = tokens;
    if (action !== null) await appendLinkEntry(tx, systemActor(link), { action, link, occurredAt: clock.now() });
  };
}
