import { Alert, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Page } from "../ui/page.tsx";
import { type BankLogin, VerifyBank } from "./verify-bank.tsx";

/**
 * Links a bank account. First the user logs in at the bank on Plaid's page, which comes back to this screen with a public token in
 * the fragment of the URL. Then the account is verified with it.
 */
export function LinkBank() {
  const [login, setLogin] = useState(loginInUrl);
  const [linkToken, setLinkToken] = useState<string>();
  return (
    <Page
      title="Link a bank account"
      back={{ label: "Fiat", to: "/fiat" }}
      intro="You log in at your bank on a page of Plaid. Purser never sees the password."
    >
      {login !== undefined ? (
        <VerifyBank login={login} />
      ) : linkToken === undefined ? (
        <StartLink needsToken={setLinkToken} />
      ) : (
        <EnterPublicToken linkToken={linkToken} done={setLogin} />
      )}
    </Page>
  );
}

/** Reads what the bank's page has left in the URL. The fragment is not sent to any server. */
function loginInUrl(): BankLogin | undefined {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const publicToken = fragment.get("public_token");
  if (publicToken === null) return undefined;
  return { publicToken, accounts: JSON.parse(fragment.get("accounts") ?? "[]") };
}

/** The page to which the user goes. The local profile's simulator of Plaid has one, and its link tokens name its port. */
function pageOf(linkToken: string, returnTo: string): string | undefined {
  const port = /^link-\w+-[\w-]+-port-(\d+)$/.exec(linkToken)?.[1];
  const query = new URLSearchParams({ token: linkToken, return_to: returnTo });
  return port && `http://127.0.0.1:${port}/link?${query}`;
}

function StartLink({ needsToken }: { readonly needsToken: (linkToken: string) => void }) {
  const { values } = useFilters("account");
  const { history } = useRouter();
  const form = useSubmit(async (fields) => {
    const body =
      values.account === undefined
        ? {
            account_holder_type: textOf(fields, "holder") as "individual",
            verification_method: textOf(fields, "method") as "instant",
          }
        : { account_id: values.account };
    const { data } = await api.POST("/fiat/link-account", { body });
    if (data === undefined) return;
    const isNew = values.account === undefined;
    const returnTo = isNew
      ? window.location.href.split("#")[0]
      : window.location.origin + fiatOf(history.location.pathname);
    const page = pageOf(data.link_token, returnTo ?? "");
    if (page === undefined) needsToken(data.link_token);
    else window.location.assign(page);
  });
  return (
    <FormSection title="Log in at your bank" form={form} action="Continue to the bank">
      {values.account === undefined ? (
        <>
          <Radio.Group name="holder" label="Who holds the account?" defaultValue="individual">
            <Group mt="xs">
              <Radio value="individual" label="A person" />
              <Radio value="business" label="A business" />
            </Group>
          </Radio.Group>
          <Radio.Group name="method" label="How should the account be verified?" defaultValue="instant">
            <Stack mt="xs" gap="xs">
              <Radio value="instant" label="At once, by your login" />
              <Radio value="micro_deposit" label="By a small deposit, which takes days: for banks without a login" />
            </Stack>
          </Radio.Group>
        </>
      ) : (
        <Text size="sm">The bank asks for a new login. The account stays linked, and keeps its id.</Text>
      )}
    </FormSection>
  );
}

/** `/dashboard/test/fiat/link` becomes `/dashboard/test/fiat`. */
function fiatOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** For servers whose Plaid account has no hosted page: the user runs Plaid Link elsewhere, and enters what it returns. */
function EnterPublicToken({
  linkToken,
  done,
}: {
  readonly linkToken: string;
  readonly done: (login: BankLogin) => void;
}) {
  const form = useSubmit(async (fields) => {
    const account = textOf(fields, "account").trim();
    done({ publicToken: textOf(fields, "token").trim(), accounts: [{ id: account, name: account }] });
  });
  return (
    <FormSection title="Log in at your bank" form={form} action="Continue">
      <Alert color="indigo" title="Start Plaid Link with this token">
        <Stack gap="xs" align="start">
          <Text size="sm">Your app starts Plaid Link with it. The token is valid for four hours.</Text>
          <CopyText text={linkToken} what="link token" />
        </Stack>
      </Alert>
      <TextInput name="token" label="Public token" description="Plaid Link returns it as public_token." required />
      <TextInput
        name="account"
        label="Account"
        description="The id that Plaid Link returns for the account."
        required
      />
    </FormSection>
  );
}
