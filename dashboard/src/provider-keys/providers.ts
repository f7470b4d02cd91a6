import type { ProviderKeyRequest, ProviderKeyStatus } from "../api/api-types.ts";

export type Provider = ProviderKeyStatus["provider"];
type Credentials = ProviderKeyRequest["credentials"];

interface Field {
  readonly name: keyof Credentials;
  readonly label: string;
  readonly isRequired?: true;
  /** `secret` is masked, `pem` has several lines, `list` is separated by commas. */
  readonly kind?: "secret" | "pem" | "list" | "environment";
  readonly hint?: string;
}

interface ProviderFacts {
  readonly name: string;
  readonly purpose: string;
  readonly fields: readonly Field[];
}

const BASE_URL: Field = { name: "base_url", label: "API URL", hint: "Only if the vendor gave you one of its own" };

/** The vendors whose keys can be stored, with the fields of each. */
export const PROVIDERS: Readonly<Record<Provider, ProviderFacts>> = {
  pimlico: {
    name: "Pimlico",
    purpose: "Sends the operations of wallets to the network, and sponsors their gas.",
    fields: [
      { name: "api_key", label: "API key", isRequired: true, kind: "secret" },
      { name: "sponsorship_policy_id", label: "Sponsorship policy" },
      { name: "chains", label: "Networks", kind: "list", hint: "Names or CAIP-2 ids, separated by commas" },
    ],
  },
  turnkey: {
    name: "Turnkey",
    purpose: "Holds the keys with which the agents' wallets sign.",
    fields: [
      { name: "organization_id", label: "Organization", isRequired: true },
      { name: "api_public_key", label: "API public key", isRequired: true },
      { name: "api_private_key", label: "API private key", isRequired: true, kind: "secret" },
      BASE_URL,
    ],
  },
  fireblocks: {
    name: "Fireblocks",
    purpose: "Custody: keeps larger amounts in your vault.",
    fields: [
      { name: "api_key", label: "API key", isRequired: true, kind: "secret" },
      {
        name: "api_secret_pem",
        label: "API secret",
        isRequired: true,
        kind: "pem",
        hint: "The private key file (PEM)",
      },
      { name: "vault_account_id", label: "Vault account" },
      BASE_URL,
    ],
  },
  bridge: {
    name: "Bridge",
    purpose: "Converts dollars and USDC. With your own keys, Purser takes no spread.",
    fields: [
      { name: "api_key", label: "API key", isRequired: true, kind: "secret" },
      { name: "webhook_public_key", label: "Webhook public key", kind: "pem" },
      { name: "environment", label: "Environment", kind: "environment" },
    ],
  },
  helius: {
    name: "Helius",
    purpose: "Gives access to Solana.",
    fields: [
      { name: "api_key", label: "API key", isRequired: true, kind: "secret" },
      { name: "rpc_url", label: "RPC URL", hint: "Only if the vendor gave you one of its own" },
    ],
  },
};

export function labelOf(provider: Provider, field: string): string {
  return PROVIDERS[provider].fields.find(({ name }) => name === field)?.label ?? field;
}

/** Returns the credentials in the form of the API, without empty fields. */
export function credentialsOf(provider: Provider, form: FormData): Credentials {
  const filled = PROVIDERS[provider].fields.flatMap(({ name, kind }) => {
    const text = String(form.get(name) ?? "").trim();
    if (text === "") return [];
    const values = text.split(",").map((part) => part.trim());
    return [[name, kind === "list" ? values.filter((value) => value !== "") : text]];
  });
  return Object.fromEntries(filled);
}
