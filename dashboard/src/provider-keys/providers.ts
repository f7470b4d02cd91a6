import type { ProviderKeyRequest, ProviderKeyStatus } from "../api/api-types.ts";
import type { Field } from "../ui/forms/fields.tsx";

type Name = keyof ProviderKeyRequest["credentials"];

interface ProviderFacts {
  readonly name: string;
  readonly purpose: string;
  readonly fields: readonly Field<Name>[];
}

const API_KEY = { name: "api_key", label: "API key", required: true, input: "secret" } as const;
const OWN = "Only if the vendor gave you one of its own";
const BASE_URL = { name: "base_url", label: "API URL", description: OWN } as const;

/** The vendors whose keys can be stored, with the fields of each. */
export const PROVIDERS: Readonly<Record<ProviderKeyStatus["provider"], ProviderFacts>> = {
  pimlico: {
    name: "Pimlico",
    purpose: "Sends the operations of wallets to the network, and sponsors their gas.",
    fields: [
      API_KEY,
      { name: "sponsorship_policy_id", label: "Sponsorship policy" },
      { name: "chains", label: "Networks", input: "tags", description: "Names or CAIP-2 ids. Press Enter after each." },
    ],
  },
  turnkey: {
    name: "Turnkey",
    purpose: "Holds the keys with which the agents' wallets sign.",
    fields: [
      { name: "organization_id", label: "Organization", required: true },
      { name: "api_public_key", label: "API public key", required: true },
      { name: "api_private_key", label: "API private key", required: true, input: "secret" },
      BASE_URL,
    ],
  },
  fireblocks: {
    name: "Fireblocks",
    purpose: "Custody: keeps larger amounts in your vault.",
    fields: [
      API_KEY,
      { name: "api_secret_pem", label: "API secret, the private key file (PEM)", required: true, input: "lines" },
      { name: "vault_account_id", label: "Vault account" },
      BASE_URL,
    ],
  },
  bridge: {
    name: "Bridge",
    purpose: "Converts dollars and USDC. With your own keys, Purser takes no spread.",
    fields: [
      API_KEY,
      { name: "webhook_public_key", label: "Webhook public key", input: "lines" },
      {
        name: "environment",
        label: "Environment",
        input: "one",
        data: ["production", "sandbox"],
        placeholder: "By mode",
      },
    ],
  },
  helius: {
    name: "Helius",
    purpose: "Gives access to Solana.",
    fields: [API_KEY, { name: "rpc_url", label: "RPC URL", description: OWN }],
  },
};
