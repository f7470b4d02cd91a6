import { Alert, Anchor, Group, Radio, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { VerifiedAccount } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { Fields } from "../ui/forms/fields.tsx";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Section } from "../ui/section.tsx";
import { bankName } from "./conversion.tsx";

/** What Plaid Link returns after the login at the bank. */
export interface BankLogin {
  readonly publicToken: string;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
}

const HOLDER = [
  {
    name: "legal_name",
    label: "Legal name",
    description: "As the bank knows it",
    maxLength: 200,
    autoComplete: "name",
  },
  { name: "email", label: "Email address", description: "For the identification", type: "email" },
  { name: "line1", label: "Street and number", maxLength: 35, autoComplete: "address-line1" },
  { name: "city", label: "City", maxLength: 100, autoComplete: "address-level2" },
  { name: "state", label: "State", placeholder: "CA", maxLength: 3, autoComplete: "address-level1" },
  { name: "postal_code", label: "Postal code", maxLength: 20, autoComplete: "postal-code" },
];

/** Chooses one of the bank's accounts and names its holder, then shows what is still missing. */
export function VerifyBank({ login: { publicToken, accounts } }: { readonly login: BankLogin }) {
  const [verified, setVerified] = useState<VerifiedAccount>();
  const form = useSubmit(async (fields) => {
    const account_holder = holderOf(fields);
    const body = { public_token: publicToken, account_id: textOf(fields, "account"), account_holder };
    const { data } = await api.POST("/fiat/verify-account", { body });
    setVerified(data);
  });
  if (verified !== undefined) return <Linked verified={verified} />;
  const intro = "Leave a field empty to use what the bank knows about the holder.";
  return (
    <FormSection title="Verify the account" intro={intro} form={form} action="Link the account">
      <Radio.Group name="account" label="Account" defaultValue={accounts[0]?.id}>
        <Group mt="xs">
          {accounts.map(({ id, name }) => (
            <Radio key={id} value={id} label={name} />
          ))}
        </Group>
      </Radio.Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fields fields={HOLDER} error={form.error} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        The holder's data is stored encrypted, is never shown again, and is destroyed when you remove the account.
      </Text>
    </FormSection>
  );
}

/** Returns the fields that were filled in, or undefined if none was. */
function holderOf(form: FormData) {
  const [legal_name, email, line1, city = "", state = "", postal_code = ""] = HOLDER.map(({ name }) =>
    textOf(form, name).trim(),
  );
  const address = line1 ? { line1, city, state: state.toUpperCase(), postal_code, country: "US" } : undefined;
  if (!legal_name && !email && !address) return undefined;
  return { legal_name: legal_name || undefined, email: email || undefined, address };
}

const STEPS: Readonly<Record<string, string>> = {
  identity_check: "Identify the holder",
  terms: "Accept the terms of Bridge",
};

function Linked({ verified: { account, kyc } }: { readonly verified: VerifiedAccount }) {
  const open = Object.entries(kyc.requirements).flatMap(([name, step]) => (step ? [{ name, url: step.url }] : []));
  const isReady = account.status === "verified" && kyc.status === "approved";
  return (
    <Section title={`${bankName(account)} is linked`}>
      {isReady ? (
        <Alert color="teal">The account can be used now.</Alert>
      ) : (
        <Alert color="orange" title={open.length > 0 ? "One more step" : "The account is being checked"}>
          <Stack gap="xs" align="start">
            {open.map(({ name, url }) => (
              <Anchor key={name} href={url} target="_blank" rel="noreferrer" size="sm">
                {STEPS[name] ?? name} (opens a new page)
              </Anchor>
            ))}
            {open.length === 0 && <Text size="sm">Its status on the next page changes by itself.</Text>}
          </Stack>
        </Alert>
      )}
      <AppLink to="/fiat" size="sm">
        Go to the bank accounts
      </AppLink>
    </Section>
  );
}
