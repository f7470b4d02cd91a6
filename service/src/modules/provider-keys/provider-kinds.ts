import { invariant } from "../../foundation/invariant.ts";
import { KEYED_PROVIDERS, type KeyedProvider } from "../../foundation/vocabulary.ts";

/** The kinds of providers (docs/api.md, section 17). API paths accept a kind in place of a provider name. */
export const PROVIDER_KINDS = ["bundler", "key_management", "custody", "stablecoin_payments", "solana_access"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** The fields of a provider's keys, in display order (docs/api.md, section 17). */
export interface KeyFields {
  readonly kind: ProviderKind;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The name of the optional field that contains a URL to call instead of the vendor's default URL. */
  readonly address?: string;
}

const SHAPES: Readonly<Record<KeyedProvider, KeyFields>> = {
  pimlico: {
    kind: "bundler",
    required: ["api_key"],
    optional: ["sponsorship_policy_id", "chains"],
  },
  turnkey: {
    kind: "key_management",
    required: ["organization_id", "api_public_key", "api_private_key"],
    optional: ["base_url"],
    address: "base_url",
  },
  fireblocks: {
    kind: "custody",
    required: ["api_key", "api_secret_pem"],
    optional: ["vault_account_id", "base_url"],
    address: "base_url",
  },
  bridge: {
    kind: "stablecoin_payments",
    required: ["api_key"],
    optional: ["webhook_public_key", "environment"],
  },
  helius: {
    kind: "solana_access",
    required: ["api_key"],
    optional: ["rpc_url"],
    address: "rpc_url",
  },
};

export function keyFieldsOf(provider: KeyedProvider): KeyFields {
  return SHAPES[provider];
}

/** Returns the provider with this name, or the provider of this kind. */
export function getKeyedProvider(name: KeyedProvider | ProviderKind): KeyedProvider {
  const provider = KEYED_PROVIDERS.find((one) => one === name || SHAPES[one].kind === name);
  invariant(provider !== undefined, "each kind has a provider");
  return provider;
}
