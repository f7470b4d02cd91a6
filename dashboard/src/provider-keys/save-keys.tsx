import { PasswordInput, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useRef } from "react";
import type { ProviderKeyStatus } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { credentialsOf, PROVIDERS, type Provider } from "./providers.ts";

const CHECKS = [
  { value: "report", label: "Save, and say whether the vendor accepts them" },
  { value: "required", label: "Save only if the vendor accepts them" },
  { value: "skip", label: "Save without asking the vendor" },
];

/** Saves the keys of a vendor. The fields keep no state: what was typed is gone with the dialog. */
export function SaveKeys({ status }: { readonly status: ProviderKeyStatus }) {
  const { provider, configured } = status;
  const fields = useRef<HTMLDivElement>(null);
  const { name } = PROVIDERS[provider];
  const save = async () => {
    const form = new FormData(fields.current?.closest("form") ?? undefined);
    const label = String(form.get("label") ?? "").trim();
    await api.PUT("/developers/provider-keys/{provider}", {
      params: { path: { provider } },
      body: {
        credentials: credentialsOf(provider, form),
        verify: form.get("verify") as "report",
        expected_version: configured ? status.version : 0,
        ...(label !== "" && { label }),
      },
    });
  };
  return (
    <ActionDialog
      title={configured ? `Replace the keys for ${name}` : `Add keys for ${name}`}
      button={configured ? "Replace" : "Add keys"}
      buttonProps={{ size: "xs", variant: configured ? "default" : "filled" }}
      action="Save the keys"
      run={save}
    >
      {(error) => (
        <Stack ref={fields}>
          {configured && <Text size="sm">The new keys replace all fields of the old ones.</Text>}
          <Fields provider={provider} error={error} />
          <TextInput name="label" label="Label" description="A name for this set of keys" maxLength={100} />
          <Select name="verify" label="Check" data={CHECKS} defaultValue="report" allowDeselect={false} />
        </Stack>
      )}
    </ActionDialog>
  );
}

function Fields({ provider, error }: { readonly provider: Provider; readonly error: unknown }) {
  const problems = error instanceof RequestError ? error.fields : {};
  return PROVIDERS[provider].fields.map(({ name, label, isRequired = false, kind, hint }) => {
    const common = { name, label, description: hint, required: isRequired, error: problems[name] };
    if (kind === "secret") return <PasswordInput key={name} {...common} autoComplete="off" />;
    if (kind === "pem") return <Textarea key={name} {...common} autosize minRows={3} maxRows={8} spellCheck={false} />;
    if (kind === "environment") {
      return <Select key={name} {...common} data={["production", "sandbox"]} clearable placeholder="The mode's own" />;
    }
    return <TextInput key={name} {...common} autoComplete="off" spellCheck={false} />;
  });
}
