import { randomUUID } from "node:crypto";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { signJwt } from "../../../crypto/signed-statement.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { NamedObject, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { getAgent, requireActiveAgent } from "../agents.ts";
import type { ScopedAgentKey } from "../queries.ts";
import { kyaLevelAt, kyaSubject } from "./kya.ts";

const LIFETIME_SECONDS = 600;

export const KyaTokenResource = NamedObject("KyaToken", {
  object: Type.Literal("kya_token"),
  token: Text(
    "A JWT with `typ` `kya+jwt`, signed with EdDSA. Claims: `iss` (this server), `sub` (the agent: `{mode}/{developer_id}/{agent_id}`), `aud`, `iat`, `exp`, `jti`, `kya_level`, `owner` (the developer's id), `name` and `mode`.",
  ),
  expires_at: Timestamp,
  jwks_url: Text("The public keys that verify the token."),
});

export interface IssueKyaToken {
  readonly key: ScopedAgentKey;
  /** Whom the token is for. */
  readonly audience: string;
  readonly actor: Actor;
}

/**
 * Returns a token with which the agent shows others how well it is known. The token is valid for ten minutes. Throws
 * `agent_not_found`, and `agent_suspended` if the agent or one of its ancestors is not active.
 */
export async function issueKyaToken(
  app: Pick<App, "db" | "clock" | "signer"> & {
    readonly settings: Pick<App["settings"], "publicUrl">;
  },
  { key, audience, actor }: IssueKyaToken,
): Promise<Static<typeof KyaTokenResource>> {
  const at = app.clock.now();
  const jti = randomUUID();
  const agent = await withTransaction(app.db, key.tenantId, async (tx) => {
    const row = await getAgent(tx, key);
    await requireActiveAgent(tx, key, at);
    await appendAuditEntry(tx, actor, {
      action: "agent.kya_token_issued",
      subject: { type: "agent", id: row.agentId },
      facts: { audience, jti, kya_level: kyaLevelAt(row, at) },
      occurredAt: at,
    });
    return row;
  });
  const { publicUrl } = app.settings;
  const iat = Math.floor(at.getTime() / 1_000);
  const exp = iat + LIFETIME_SECONDS;
  const token = signJwt(app.signer, "kya+jwt", {
    iss: publicUrl,
    sub: kyaSubject(agent),
    aud: audience,
    iat,
    exp,
    jti,
    kya_level: kyaLevelAt(agent, at),
    owner: agent.tenantId,
    name: agent.name,
    mode: agent.mode,
  });
  return {
    object: "kya_token",
    token,
    expires_at: new Date(exp * 1_000).toISOString(),
    jwks_url: `${publicUrl}/.well-known/jwks.json`,
  };
}
