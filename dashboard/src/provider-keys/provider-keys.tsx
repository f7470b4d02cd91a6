import { Alert, Badge, Text } from "@mantine/core";
import type { ProviderKeyStatus, ProviderKeys } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { VerifyChain } from "../audit/verify-chain.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useMode } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { labelOf, PROVIDERS } from "./providers.ts";
import { SaveKeys } from "./save-keys.tsx";

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
        {({ data }) => (
          <>
            {data.map((status) => (
              <Provider key={status.provider} status={status} />
            ))}
          </>
        )}
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
  const { name, purpose } = PROVIDERS[status.provider];
  return (
    <Section
      title={name}
      intro={purpose}
      actions={
        <>
          <Badge variant="light" color={status.configured ? "teal" : "gray"} tt="none">
            {status.configured ? "Configured" : "Not configured"}
          </Badge>
          {status.configured && <RemoveKeys keys={status} />}
          <SaveKeys status={status} />
        </>
      }
    >
      {status.configured && <Configured keys={status} />}
    </Section>
  );
}

function Configured({ keys }: { readonly keys: ProviderKeys }) {
  const { verification } = keys;
  return (
    <>
      {verification.detail !== null && verification.status !== "verified" && (
        <Alert color="orange">{verification.detail}</Alert>
      )}
      <Facts
        facts={[
          ["Check at the vendor", <Status key="status" status={verification.status} />],
          ["Label", keys.label ?? "–"],
          ["Fields", keys.fields_configured.map((name) => labelOf(keys.provider, name)).join(", ")],
          ["Saved", <Time key="saved" at={keys.updated_at} />],
          ["Last used", <Time key="used" at={keys.last_used_at} none="Never" />],
          ["Expires", <Time key="expires" at={keys.expires_at} none="No date set" />],
        ]}
      />
    </>
  );
}

function RemoveKeys({ keys: { provider } }: { readonly keys: ProviderKeys }) {
  const { name } = PROVIDERS[provider];
  return (
    <ActionDialog
      title={`Delete the keys for ${name}`}
      button="Delete"
      buttonProps={{ size: "xs", variant: "light", color: "red" }}
      action="Delete the keys"
      isDangerous
      typeToConfirm={provider}
      run={() => api.DELETE("/developers/provider-keys/{provider}", { params: { path: { provider } } })}
    >
      <Text size="sm">Purser cannot use {name} with your account from then on. This cannot be undone.</Text>
    </ActionDialog>
  );
}
