import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { DECIMAL_PATTERN, parseDecimal } from "../foundation/money.ts";
import { parseJson } from "../foundation/text.ts";
import { vendors } from "../foundation/vendors.ts";
import { isLoopbackUrl, isPlainUrl, isUrlOf } from "./limits.ts";
import type { Reader } from "./reader.ts";

const NAME = "PURSER_AGENTIC_PROVIDERS";

const PRICE_MAX_CENTS = 99_999_999n;

const closed = { additionalProperties: false } as const;
const Url = Type.String({ minLength: 1, maxLength: 500 });

/** The members are those of `AgenticProviderOptions`; `.env.example` describes them. */
const Provider = Type.Object(
  {
    provider: Type.String({ pattern: "^[a-z][a-z0-9-]{0,31}$" }),
    display_name: Type.String({ minLength: 1, maxLength: 100 }),
    base_url: Url,
    client_id: Url,
    billed_by: Type.Enum(["vendor", "purser"]),
    payment_token: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    deep_links: Type.Optional(Type.Boolean()),
    revokes_tokens: Type.Optional(Type.Boolean()),
    hosts: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z0-9.-]+(:\\d+)?$" }), { maxItems: 10 })),
    regions: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z0-9-]{1,64}$" }), { minItems: 1, maxItems: 50 })),
    terms: Type.Optional(Type.Object({ version: Type.String({ minLength: 1 }), url: Url }, closed)),
    prices: Type.Optional(
      Type.Record(Type.String(), Type.String({ pattern: DECIMAL_PATTERN }), { maxProperties: 200 }),
    ),
  },
  closed,
);
const Providers = Type.Array(Provider, { maxItems: 20 });

export type AgenticProvidersConfig = Static<typeof Providers>;

/** Reads a JSON array. It can contain payment tokens, so its text is never part of a message. */
export function readAgenticProviders(read: Reader): AgenticProvidersConfig {
  const text = read.optionalSecret(NAME);
  if (text === null || text === "") return [];
  const value = parseJson(text);
  if (Check(Providers, value)) return value;
  read.report(`${NAME} is not a JSON array of providers as described in .env.example.`);
  return [];
}

/** Returns a message for each invalid provider. These rules apply in every profile. */
export function checkAgenticProviders(providers: AgenticProvidersConfig): string[] {
  const names = providers.map(({ provider }) => provider);
  const own = new Set(vendors.map(({ name }) => name));
  return [
    ...names
      .filter((name, index) => own.has(name) || names.indexOf(name) !== index)
      .map((name) => `${NAME} contains ${name}, which is the name of another vendor.`),
    ...providers
      .filter(({ base_url }) => !isPlainUrl(base_url) || base_url.endsWith("/"))
      .map(({ provider }) => `${NAME}: base_url of ${provider} is not a plain URL without a final slash.`),
    ...providers
      .filter(({ billed_by, payment_token }) => billed_by === "purser" && payment_token === undefined)
      .map(({ provider }) => `${NAME}: ${provider} is billed by purser, but has no payment_token.`),
    ...providers
      .filter(({ terms }) => terms === undefined || !isUrlOf("https:")(terms.url))
      .map(({ provider }) => `${NAME}: ${provider} has no terms with an https: URL.`),
    ...providers
      .filter(({ prices = {} }) => !Object.values(prices).every(isPrice))
      .map(({ provider }) => `${NAME}: a price of ${provider} has more than two decimals, or is above 999,999.99.`),
  ];
}

function isPrice(text: string): boolean {
  const cents = parseDecimal(text, 2);
  return cents !== undefined && cents <= PRICE_MAX_CENTS;
}

/**
 * Returns a message for each provider that production does not allow: those without TLS, and those on this machine or in a
 * private network.
 */
export function checkRealAgenticProviders(providers: AgenticProvidersConfig): string[] {
  return providers
    .filter(({ base_url }) => isPlainUrl(base_url) && !isPublic(base_url))
    .map(({ provider }) => `${NAME}: base_url of ${provider} is not an https: URL of a public host.`);
}

function isPublic(url: string): boolean {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isName = /\.[a-z][a-z0-9-]+\.?$/i.test(host);
  return isUrlOf("https:")(url) && port === "" && isName && !isLoopbackUrl(url);
}
