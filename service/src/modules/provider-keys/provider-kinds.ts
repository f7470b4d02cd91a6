import { invariant } from "../../foundation/invariant.ts";
import { KEYED_PROVIDERS, type KeyedProvider } from "../../foundation/vocabulary.ts";

/** What a provider is, in the words of the specification. Each is taken as an alias of the provider's name. */
export const PROVIDER_KINDS = [
  "bundler",
  "key_management",
  "custody",
  "stablecoin_payments",
  "solana_access",
] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** The fields of a set of keys (contract, section 2), in the order in which they are shown. */
export interface KeyShape {
  readonly kind: ProviderKind;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The one that names an address to call instead of the vendor's own. */
  readonly address?: string;
}

const SHAPES: Readonly<Record<KeyedProvider, KeyShape>> = {
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

export function keyShapeOf(provider: KeyedProvider): KeyShape {
  return SHAPES[provider];
}

/** The provider that goes by this name, or of this kind. */
export function providerNamed(name: KeyedProvider | ProviderKind): KeyedProvider {
  const provider = KEYED_PROVIDERS.find((one) => one === name || SHAPES[one].kind === name);
  invariant(provider !== undefined, "each kind has a provider");
  return provider;
}
