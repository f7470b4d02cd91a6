import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { equalInConstantTime, sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import { ListOf, NamedObject, OneOf } from "../../foundation/wire/fields.ts";
import { openVault } from "../../vault/vault.ts";
import type { ProjectKey } from "../projects/queries.ts";
import { openEnv } from "./open-env.ts";

export const EnvComparisonResource = NamedObject("EnvComparison", {
  object: Type.Literal("env_comparison"),
  environment: Type.String(),
  names: ListOf(
    Type.Object({
      name: Type.String(),
      result: OneOf(
        ["same", "differs", "missing", "extra"],
        "`same` and `differs`: whether the sent value is the one of the environment. `missing`: only the environment has the variable. `extra`: only the request has it.",
      ),
    }),
    "Every name of the request and of the environment, sorted.",
  ),
});

export interface CompareEnv {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly environment: string;
  /** Text by name. Secret: must not be stored or logged. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Compares values with those of an environment, and writes an audit entry with the number of values. Throws what
 * `openEnv` throws.
 */
export async function compareEnvOfProject(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { actor, key, environment, values }: CompareEnv,
): Promise<Static<typeof EnvComparisonResource>> {
  const { tenantId, projectId } = key;
  const vault = await openVault(app, tenantId);
  const sent = new Map(Object.entries(values));
  return withTransaction(app.db, tenantId, async (tx) => {
    const { variables, envVersion: version } = await openEnv(tx, vault, {
      ...{ key, environment, pointer: "/body/environment", names: undefined },
      onSize: () => {},
      authorize: async () => {},
    });
    const stored = new Map(variables.map(({ name, value }) => [name, value]));
    await appendAuditEntry(tx, actor, {
      action: "env.compared",
      subject: { type: "project", id: projectId },
      facts: { environment, version, count: sent.size },
      occurredAt: app.clock.now(),
    });
    const names = [...new Set([...stored.keys(), ...sent.keys()])].sort();
    return {
      object: "env_comparison",
      environment,
      names: names.map((name) => ({ name, result: resultOf(stored.get(name), sent.get(name)) })),
    };
  });
}

function resultOf(stored: string | undefined, sent: string | undefined) {
  if (sent === undefined) return "missing";
  if (stored === undefined) return "extra";
  return equalInConstantTime(digestOf(stored), digestOf(sent)) ? "same" : "differs";
}

/** Of equal length for all values, so that the comparison takes as long for each. */
function digestOf(value: string): Buffer {
  return Buffer.from(sha256Hex(value), "hex");
}
