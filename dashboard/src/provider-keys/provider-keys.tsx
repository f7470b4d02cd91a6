import { Alert, Badge } from "@mantine/core";
import type { ProviderKeyRequest, ProviderKeyStatus, ProviderKeys } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { VerifyChain } from "../audit/verify-chain.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { useMode } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

/** The developer's own keys for vendors: stored encrypted, never shown, each change in an audit chain of its own. */
export function ProviderKeysScreen() {
  const mode = useMode();
  const query = hooks.useQuery("get", "/developers/provider-keys");
  return (
    <Page
      title="Provider keys"
      intro={`Your own accounts at vendors, for ${mode} mode. Keys are stored encrypted, and never shown again. Without yours, those of this server's operator are used, if it has some.`}
    >
      <Loaded query={query}>
        {({ data }) => data.map((status) => <Provider key={status.provider} status={status} />)}
      </Loaded>
      <Section
        title="Audit chain"
        intro="Every change of a provider key is an entry in a hash chain. Verifying recomputes it, and compares it with the copy outside of the database."
      >
        <VerifyChain chain="provider_keys" />
      </Section>
    </Page>
  );
}

function Provider({ status }: { readonly status: ProviderKeyStatus }) {
  const { provider, configured } = status;
  const { name, purpose } = PROVIDERS[provider];
  const actions = (
    <>
      <Badge variant="light" color={configured ? "teal" : "gray"} tt="none">
        {configured ? "Configured" : "Not configured"}
      </Badge>
      {configured && (
        <ActionDialog
          {...{ title: `Delete the keys for ${name}`, button: "Delete", buttonProps: { size: "xs" } }}
          {...{ action: "Delete the keys", typeToConfirm: provider }}
          run={() => api.DELETE("/developers/provider-keys/{provider}", { params: { path: { provider } } })}
          text={`Purser cannot use ${name} with your account from then on. This cannot be undone.`}
        />
      )}
      <SaveKeys status={status} />
    </>
  );
  return (
    <Section title={name} intro={purpose} actions={actions}>
      {configured && <Configured keys={status} />}
    </Section>
  );
}

function Configured({ keys: { verification, provider, label, ...keys } }: { readonly keys: ProviderKeys }) {
  const labelOf = (field: string) => PROVIDERS[provider].fields.find(({ name }) => name === field)?.label ?? field;
  return (
    <>
      {verification.status !== "verified" && verification.detail && <Alert color="orange">{verification.detail}</Alert>}
      <Facts
        facts={[
          ["Check at the vendor", <Status key="status" status={verification.status} />],
          ["Label", label],
          ["Fields", keys.fields_configured.map(labelOf).join(", ")],
          ["Saved", <Time key="saved" at={keys.updated_at} />],
          ["Last used", <Time key="used" at={keys.last_used_at} none="Never" />],
          ["Expires", <Time key="expires" at={keys.expires_at} none="No date set" />],
        ]}
      />
    </>
  );
}

const LABEL = { name: "label", label: "Label", description: "A name for this set of keys", maxLength: 100 } as const;

const CHECKS = {
  report: "Save, and say whether the vendor accepts them",
  required: "Save only if the vendor accepts them",
  skip: "Save without asking the vendor",
};

function SaveKeys({ status: { provider, configured, ...status } }: { readonly status: ProviderKeyStatus }) {
  const { name, fields } = PROVIDERS[provider];
  const check = { name: "verify", label: "Check", input: "one", data: CHECKS, defaultValue: "report" } as const;
  return (
    <ActionDialog
      title={configured ? `Replace the keys for ${name}` : `Add keys for ${name}`}
      button={configured ? "Replace" : "Add keys"}
      buttonProps={{ size: "xs", variant: configured ? "default" : "filled" }}
      action="Save the keys"
      text={configured ? "The new keys replace all fields of the old ones." : undefined}
      fields={[...fields, LABEL, check]}
      run={({ label, verify, ...typed }) => {
        const filled = Object.entries(typed).flatMap(([field, value]) =>
          value.trim() === "" ? [] : [[field, field === "chains" ? listOf(value) : value.trim()]],
        );
        return api.PUT("/developers/provider-keys/{provider}", {
          params: { path: { provider } },
          body: {
            credentials: Object.fromEntries(filled),
            verify: verify as "report",
            expected_version: configured && "version" in status ? status.version : 0,
            label: label.trim() || undefined,
          },
        });
      }}
    />
  );
}

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
