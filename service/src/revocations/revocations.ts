import { type Static, Type } from "typebox";
import type { Actor } from "../audit/append.ts";
import { signStatement } from "../crypto/signed-statement.ts";
import type { StatementSigner } from "../crypto/statement-signer.ts";
import type { Tx } from "../db/database.ts";
import type { Json } from "../foundation/canonical-json.ts";
import { AppError, authenticationFailed } from "../foundation/errors.ts";
import { Text } from "../foundation/wire/fields.ts";
import { type Belonging, findRunningRevocation, isKeyRevoked, lockCreations, type Owner } from "./queries.ts";

/**
 * Call it first in a transaction that creates an agent, a project or a key, or that lets one act again. Throws `conflict`
 * while a kill switch runs that covers it. A kill switch that starts later waits for the end of the transaction, and then
 * finds what was created. Throws `authentication_failed` if the caller's API key was revoked since it was checked: the kill
 * switch may have ended, and would not find what is created now.
 */
export async function assertNotRevoked(
  tx: Tx,
  actor: Owner & Partial<Pick<Actor, "actor">>,
  { agentIds = [], projectIds = [] }: Partial<Belonging> = {},
): Promise<void> {
  await lockCreations(tx, actor, "shared");
  const belonging = { agentIds: agentIds.map((id) => id.toLowerCase()), projectIds };
  const killSwitchId = await findRunningRevocation(tx, actor, belonging);
  if (killSwitchId !== undefined) {
    throw new AppError("conflict", {
      detail: `The kill switch ${killSwitchId} is running. Wait until it has ended.`,
    });
  }
  const keyId = actor.actor?.key_id;
  if (keyId && (await isKeyRevoked(tx, actor, keyId))) throw authenticationFailed("the key was revoked meanwhile");
}

/**
 * A signed proof of what a freeze or a kill switch did, which anyone can verify offline (docs/rules/audit-trail.md).
 */
export const RevocationProof = Type.Object(
  {
    revocation_id: Text("The id of the freeze or the kill switch."),
    decision_hash: Text(
      "Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of this object without `proof`, and with `revocation_id`.",
    ),
    signature: Text("Ed25519 signature in base64url."),
    alg: Type.Enum(["ed25519"]),
    kid: Text("The key's id in `/.well-known/jwks.json`."),
  },
  { $id: "RevocationProof", description: "A signed proof of this object, which anyone can verify offline." },
);

/**
 * Signs the API representation of what a freeze or a kill switch did.
 *
 * @param domain see `signStatement`
 * @param report the representation without its proof
 */
export function proveRevocation(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  domain: string,
  revocation_id: string,
  report: Readonly<Record<string, Json>>,
): Static<typeof RevocationProof> {
  const { hash, ...signed } = signStatement(signer, domain, { ...report, revocation_id });
  return { revocation_id, decision_hash: hash, ...signed };
}
