import { Anchor, Button, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { EmailedToken } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Time } from "../ui/values.tsx";
import { AccountPage } from "./account-page.tsx";
import { useEmailedToken } from "./emailed-token.ts";
import { Waiting } from "./sign-in-form.tsx";

/** The API keys of an account, for the owner of its mailbox. */
export function KeysOfAccount({ keys }: Pick<EmailedToken, "keys">) {
  return (
    <Stack gap={4}>
      <Text size="sm">Active API keys of the account:</Text>
      <List size="sm">
        {keys.map(({ key_id, key_hint, mode, name, created_at, last_used_at }) => (
          <List.Item key={key_id}>
            <strong>{name}</strong> ({mode}, {key_hint}), created <Time at={created_at} />, last used{" "}
            <Time at={last_used_at} none="never" />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** The page of the link in an email about the keys of an account that a provider's login has taken over. */
export function RevokeKeys() {
  const { token, account, error } = useEmailedToken("token", "revoke_keys");
  const [count, setCount] = useState<number>();
  const revocation = useSubmit(async () => {
    const { data } = await api.POST("/developers/emailed-tokens/revoke-keys", { body: { token } });
    setCount(data?.count);
  });
  if (count !== undefined) {
    return (
      <AccountPage title="Your API keys are revoked" below={<Anchor href="/login">Sign in to create new ones</Anchor>}>
        <Text size="sm">Revoked keys: {count}.</Text>
      </AccountPage>
    );
  }
  if (error !== undefined) {
    return (
      <AccountPage title="This link does not work" below={<Anchor href="/login">Sign in to revoke keys</Anchor>}>
        <Text size="sm">It was used before, is older than 7 days, or is incomplete.</Text>
      </AccountPage>
    );
  }
  if (account === undefined) return <Waiting text="Reading the link" />;
  if (account.keys.length === 0) {
    return (
      <AccountPage title="Your account has no API keys">
        <Text size="sm">There is nothing to revoke.</Text>
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Revoke your API keys" intro={account.email}>
      <form onSubmit={revocation.submit}>
        <Stack>
          <KeysOfAccount keys={account.keys} />
          <Text size="sm">
            A revoked key stops working at once. To revoke single keys, <Anchor href="/login">sign in</Anchor>.
          </Text>
          <ProblemAlert error={revocation.error} />
          <Button type="submit" color="red" loading={revocation.isRunning}>
            Revoke all keys
          </Button>
        </Stack>
      </form>
    </AccountPage>
  );
}
