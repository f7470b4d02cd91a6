import {
  type Static,
  type TEnumValue,
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
  Type,
} from "typebox";
import { DECIMAL_PATTERN } from "../money.ts";
import type { Settings } from "../settings.ts";
import { MODES } from "../vocabulary.ts";

/** An RFC 3339 timestamp in UTC. */
export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-11-21T10:00:00.000Z"],
});

/** A text. `limits` are its length, pattern or format. */
export const Text = (description: string, limits: TStringOptions | TString = {}) =>
  Type.String({ ...limits, description });

/** An integer. */
export const Count = (description: string, limits: TNumberOptions = {}) => Type.Integer({ ...limits, description });

export const Flag = (description: string) => Type.Boolean({ description });

export const OneOf = <const Values extends readonly TEnumValue[]>(values: Values, description: string) =>
  Type.Enum<[...Values]>([...values], { description });

export const ListOf = <Item extends TSchema>(item: Item, description: string) => Type.Array(item, { description });

/** A value or null. The union gets the schema's description by default, so that generated types show it. */
export const Nullable = <Schema extends TSchema & { readonly description?: string }>(
  schema: Schema,
  description = schema.description,
) => Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) });

/** A value, or null to clear it. Uses a list of types instead of a union, so that a violation is reported only once. */
export const Clearable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    // It is another schema now.
    $id: undefined,
    type: ["type" in schema ? schema.type : [], "null"].flat(),
  });

/** Who did something. */
export const ActorOut = Type.Object(
  { type: Type.Enum(["developer", "agent", "admin", "system"]), id: Type.String() },
  { $id: "Actor" },
);

/** An object that something is about. */
export const SubjectOut = NamedObject("Subject", { type: Type.String(), id: Type.String() });

/** Why something failed: a code, and a text for people. */
export const FailureOut = NamedObject("Failure", { code: Type.String(), detail: Type.String() });

export const ModeName = Type.Enum([...MODES]);

/**
 * Text that PostgreSQL can store: no NUL characters. PostgreSQL cannot store lone surrogates either, but the JSON
 * parser already rejects them.
 */
export const STORABLE_TEXT = {
  pattern: "^[^\\x00]*$",
  description: "Text without NUL characters.",
};

/** Text of several lines that is shown to others, such as a note. */
export const DISPLAY_TEXT = { ...STORABLE_TEXT, format: "display" };

/** The control characters, for a character class. Patterns have no `\p`, which RE2 and Python cannot read. */
const CONTROLS = "\\x00-\\x1f\\x7f-\\x9f";
/** Control characters and line separators. RE2 cannot read `\u`, so patterns contain the separators themselves. */
const NOT_IN_A_LINE = `${CONTROLS}\u2028\u2029`;

/** Text without control characters, which could change a header or a terminal's output. */
export const PRINTABLE_TEXT = {
  format: "display",
  pattern: `^[^${CONTROLS}]*$`,
  description: "Text without line breaks, tabs or other control characters.",
};

/** A name: one line with at least one visible character, without surrounding spaces. */
export const NAME_TEXT = {
  format: "visible",
  pattern: `^[^\\s${CONTROLS}]([^${NOT_IN_A_LINE}]*[^\\s${CONTROLS}])?$`,
  maxLength: 100,
};

const MetadataValue = Type.String({ maxLength: 500, ...STORABLE_TEXT });

/**
 * Metadata that the caller sets (docs/rules/conventions.md). A key is one line of text, so that it can be displayed and
 * compared.
 */
const metadataOf = <Value extends TSchema>(value: Value, maxProperties: number) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: "object",
    maxProperties,
    propertyNames: {
      minLength: 1,
      maxLength: 40,
      pattern: `^[^${NOT_IN_A_LINE}]*$`,
      description: "A single line of text without control characters.",
    },
    additionalProperties: value,
  });

export const Metadata = metadataOf(MetadataValue, 50);

/**
 * A change of metadata: the given keys are set, and null removes a key. Allows 100 keys, so that one call can remove 50
 * keys and set 50 others.
 */
export const MetadataPatch = metadataOf(Clearable(MetadataValue), 100);

/** An object that is the component `$id` of the OpenAPI document. */
export function NamedObject<const Fields extends TProperties>($id: string, fields: Fields) {
  return Type.Object(fields, { $id });
}

/** A named object that may have no other fields, such as a request body. */
export function StrictObject<const Fields extends TProperties>($id: string, fields: Fields) {
  return Type.Object(fields, { $id, additionalProperties: false });
}

/**
 * An amount in a request: decimal text, or a JSON number that is replaced by its source digits before validation
 * (docs/rules/conventions.md). The `decimal` format rejects any remaining number, so no amount is ever a float.
 */
export const DecimalIn = Type.Unsafe<string>({
  $id: "AmountInput",
  type: ["string", "number"],
  format: "decimal",
  pattern: DECIMAL_PATTERN,
  maxLength: 25,
  minimum: 0,
  exclusiveMaximum: 1e18,
  description:
    "Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.",
  examples: ["100.00"],
});

/** An amount in a request that is greater than zero. */
export const PositiveDecimalIn = { ...DecimalIn, $id: "PositiveAmountInput", exclusiveMinimum: 0 };

/** A decimal amount in a response, as a string such as `100.00`. Can be negative. */
export const DecimalOut = Type.String({
  $id: "Amount",
  pattern: "^-?(0|[1-9]\\d*)(\\.\\d+)?$",
  examples: ["100.00"],
});

/** Returns the URLs of an approval. The page requires a login, so its URL is not secret. */
export function approvalUrls({ settings }: { readonly settings: Pick<Settings, "publicUrl"> }, approvalId: string) {
  const path = `/api/v1/svc/approvals/${approvalId}`;
  return {
    approve_url: `${path}/approve`,
    approve_page_url: `${settings.publicUrl}/approve/${approvalId}`,
    long_poll_url: `${path}?wait_seconds=30`,
  };
}
