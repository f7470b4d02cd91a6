import { type TSchema, Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { parseDecimal } from "../../../foundation/money.ts";
import { VARIABLE_NAME_PATTERN } from "../../../foundation/variable-names.ts";
import { AgentIdsIn } from "../../../foundation/wire/agent-ids.ts";
import { Clearable, DecimalIn, DISPLAY_TEXT, Metadata, NAME_TEXT, Text } from "../../../foundation/wire/fields.ts";

export const ProjectName = Type.String({
  ...NAME_TEXT,
  description:
    "1 to 100 characters on one line, without leading or trailing spaces. Unique per account and mode, ignoring case.",
  examples: ["My App"],
});

export const ProjectDescription = Text("Up to 1,000 characters without NUL. `null` means no description.", {
  maxLength: 1000,
  ...DISPLAY_TEXT,
});

export const MonthlyCap = {
  ...DecimalIn,
  description:
    "An amount in US dollars with up to two decimal places, as a string or a JSON number. The maximum total of the project's charges per calendar month (UTC).",
};

export const EnvironmentName = Text("1 to 32 lowercase letters, digits and hyphens, starting with a letter.", {
  pattern: "^[a-z][a-z0-9-]{0,31}$",
});

export const EnvironmentNames = (options: { description?: string } = {}) =>
  Type.Array(EnvironmentName, { minItems: 1, maxItems: 20, uniqueItems: true, ...options });

const ProviderCap = {
  ...DecimalIn,
  description:
    "An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.",
};

/** The cap for each provider of the catalog, in addition to the project's cap. */
export const providerCaps = (app: App) =>
  byProvider(app, Type.Optional(ProviderCap), {
    description:
      "Monthly caps for individual providers, in US dollars. They apply in addition to `monthly_cap`. Default: none.",
  });

export const providerCapsPatch = (app: App) =>
  byProvider(app, Type.Optional(Clearable(ProviderCap)), {
    description:
      "Monthly caps for individual providers, merged with the current caps. Set a provider to null to remove its cap, or `provider_caps` to null to remove all caps.",
  });

function byProvider<Schema extends TSchema>(app: App, schema: Schema, options: { readonly description: string }) {
  const names = [...app.providers.keys()].sort();
  const properties = Object.fromEntries(names.map((provider) => [provider, schema]));
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The metadata of a new project or service. */
export const NewMetadata = {
  ...Metadata,
  description:
    "Up to 50 key-value pairs that you choose. Keys have up to 40 characters, values up to 500. Default: `{}`.",
};

/** The version of a provider's terms, for calls that can accept them. */
export const AcceptedTerms = Type.Optional(
  Text(
    "The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked.",
    { maxLength: 64 },
  ),
);

export const ProjectAgentIds = AgentIdsIn(
  "UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project.",
);

export const PolicyId = Clearable(
  Text("The id of a policy that applies to the project, beside those that name it. `null`: none.", { maxLength: 100 }),
);

export const VariableName = Text(
  "1 to 128 letters of A to Z in any case, digits and underscores, not starting with a digit.",
  { pattern: VARIABLE_NAME_PATTERN },
);

/**
 * Returns the amount in cents. Throws `validation_error` if it has more than two decimal places, because amounts are
 * never rounded.
 */
export function centsOf(pointer: string, text: string): bigint {
  const cents = parseDecimal(text, 2);
  if (cents === undefined) throw invalidField(pointer, "decimals", "must have at most two decimal places");
  return cents;
}

export function capsInCents(caps: Readonly<Record<string, string | undefined>>): Record<string, bigint> {
  return Object.fromEntries(
    Object.entries(caps).flatMap(([provider, amount]) =>
      amount === undefined ? [] : [[provider, providerCap(provider, amount)]],
    ),
  );
}

/** Converts changed caps to cents. Null removes the provider's cap. */
export function capChangesInCents(
  caps: Readonly<Record<string, string | null | undefined>>,
): Record<string, bigint | null> {
  return Object.fromEntries(
    Object.entries(caps).flatMap(([provider, amount]) =>
      amount === undefined ? [] : [[provider, amount === null ? null : providerCap(provider, amount)]],
    ),
  );
}

function providerCap(provider: string, amount: string): bigint {
  return centsOf(`/body/provider_caps/${provider}`, amount);
}
