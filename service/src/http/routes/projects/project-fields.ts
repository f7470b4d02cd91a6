import { type TSchema, Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { parseDecimal } from "../../../foundation/money.ts";
import { AgentIdsIn } from "../../../foundation/wire/agent-ids.ts";
import { DecimalIn } from "../../../foundation/wire/amounts.ts";
import { Clearable, STORABLE_TEXT } from "../../../foundation/wire/common.ts";
import { catalogOf, VARIABLE_NAME_PATTERN } from "../../../modules/projects/index.ts";

/** As people write it: on one line, with something to be seen, and no space at either end (contract, ruling 16). */
export const ProjectName = Type.String({
  format: "visible",
  pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}\\p{Zl}\\p{Zp}]*[^\\s\\p{Cc}])?$",
  maxLength: 100,
  description:
    "1 to 100 characters on one line, without space at either end. Unique per tenant and mode, whatever the case.",
  examples: ["My App"],
});

export const ProjectDescription = Type.String({ maxLength: 1000, ...STORABLE_TEXT });

export const EnvironmentName = Type.String({
  pattern: "^[a-z][a-z0-9-]{0,31}$",
  description: "1 to 32 lower-case letters, digits and hyphens, with a letter first.",
});

export const EnvironmentNames = (options: { description?: string; default?: string[] } = {}) =>
  Type.Array(EnvironmentName, { minItems: 1, maxItems: 20, uniqueItems: true, ...options });

/** Caps by provider of the catalog. They take precedence over the project's cap. */
export const providerCaps = (app: App) => byProvider(app, Type.Optional(DecimalIn));

export const providerCapsPatch = (app: App) => byProvider(app, Type.Optional(Clearable(DecimalIn)));

function byProvider<Schema extends TSchema>(app: App, schema: Schema) {
  const { providers } = catalogOf(app);
  const properties = Object.fromEntries(providers.map(({ provider }) => [provider, schema]));
  return Type.Object(properties, { additionalProperties: false });
}

export const AgentIds = AgentIdsIn("Agents whose keys reach the project. UUIDs.");

export const PolicyId = Clearable(Type.String({ maxLength: 100 }));

export const VariableName = Type.String({
  pattern: VARIABLE_NAME_PATTERN,
  description: "1 to 128 capital letters, digits and underscores, with no digit first.",
});

/** The amount in cents. More than two decimals are refused, never rounded. */
export function centsOf(pointer: string, text: string): bigint {
  const cents = parseDecimal(text, 2);
  if (cents === undefined) throw invalidField(pointer, "decimals", "has more decimals than usd");
  return cents;
}

/** Caps in cents, by provider. */
export function capsInCents(
  caps: Readonly<Record<string, string | undefined>>,
): Record<string, bigint> {
  return Object.fromEntries(
    Object.entries(caps).flatMap(([provider, amount]) =>
      amount === undefined ? [] : [[provider, providerCap(provider, amount)]],
    ),
  );
}

/** As above, of a change: a null, which removes the provider's cap, stays one. */
export function capChangesInCents(
  caps: Readonly<Record<string, string | null | undefined>>,
): Record<string, bigint | null> {
  return Object.fromEntries(
    Object.entries(caps).flatMap(([provider, amount]) =>
      amount === undefined
        ? []
        : [[provider, amount === null ? null : providerCap(provider, amount)]],
    ),
  );
}

function providerCap(provider: string, amount: string): bigint {
  return centsOf(`/body/provider_caps/${provider}`, amount);
}

/** There are no policies yet, so whatever is named is not one of the caller's. */
export function refuseUnknownPolicy(policyId: string | null | undefined): void {
  if (policyId === null || policyId === undefined) return;
  throw invalidField("/body/policy_id", "unknown", "is not a policy of this account");
}
