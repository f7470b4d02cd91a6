import { Alert, Group, Radio, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { useFilters, useGo } from "../ui/navigation.tsx";
import { Page } from "../ui/page.tsx";
import { loadScript, useWidget } from "../ui/widgets.ts";
import { type BankLogin, VerifyBank } from "./verify-bank.tsx";

/** The part of Plaid's script that is used here: https://plaid.com/docs/link/web/. */
interface PlaidLink {
  open(): void;
  destroy(): void;
}

interface PlaidOptions {
  readonly token: string;
  readonly onSuccess: (publicToken: string, metadata: Pick<BankLogin, "accounts">) => void;
  readonly onExit: (error: { readonly display_message?: string; readonly error_code?: string } | null) => void;
}

declare global {
  interface Window {
    Plaid?: { create(options: PlaidOptions): PlaidLink };
  }
}

/** Links a bank account. First the user logs in at the bank in Plaid's frame, then the account is verified. */
export function LinkBank() {
  const [login, setLogin] = useState<BankLogin>();
  const plaid = useWidget("plaid");
  return (
    <Page
      title="Link a bank account"
      back={{ label: "Fiat", to: "/fiat" }}
      intro="You log in at your bank in a window of Plaid. Purser never sees the password."
    >
      {login !== undefined ? (
        <VerifyBank login={login} />
      ) : plaid !== undefined ? (
        <StartLink script={plaid.script} done={setLogin} />
      ) : (
        <Alert color="orange" title="Bank accounts cannot be linked in this mode">
          This server has no account at Plaid for it. The server's operator can add one.
        </Alert>
      )}
    </Page>
  );
}

function StartLink({ script, done }: { readonly script: string; readonly done: (login: BankLogin) => void }) {
  const { account } = useFilters("account").values;
  const client = useQueryClient();
  const go = useGo();
  const link = useRef<PlaidLink>(undefined);
  useEffect(() => () => link.current?.destroy(), []);
  const form = useSubmit(async (fields) => {
    const body =
      account === undefined
        ? {
            account_holder_type: textOf(fields, "holder") as "individual",
            verification_method: textOf(fields, "method") as "instant",
          }
        : { account_id: account };
    await loadScript(script);
    const { data } = await api.POST("/fiat/link-account", { body });
    const { Plaid } = window;
    if (data === undefined || Plaid === undefined) throw new Error("The script of Plaid does not work here.");
    await new Promise<void>((resolve, reject) => {
      link.current = Plaid.create({
        token: data.link_token,
        onSuccess: (publicToken, { accounts }) => {
          resolve();
          if (account === undefined) done({ publicToken, accounts });
          else void client.invalidateQueries().then(() => go("/fiat"));
        },
        onExit: (error) =>
          error === null ? resolve() : reject(new Error(error.display_message ?? `Plaid reports ${error.error_code}.`)),
      });
      link.current.open();
    });
  });
  return (
    <FormSection title="Log in at your bank" form={form} action="Continue to the bank">
      {account === undefined ? (
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
