import { Text } from "@mantine/core";
import type { Developer } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
import { Identities } from "./identities.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** The developer's account: profile, ways to sign in, sessions. */
export function Settings() {
  const query = hooks.useQuery("get", "/developers/dashboard/me");
  return (
    <Page title="Settings" intro="Your account, for both modes.">
      <Loaded query={query}>
        {(developer) => (
          <>
            <Profile developer={developer} />
            <Business developer={developer} />
            <Password developer={developer} />
            <TwoFactor developer={developer} />
            <Section title="Sessions" intro="Where you are signed in. End those that you do not know.">
              <Sessions />
            </Section>
            <Identities />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Business({ developer }: { readonly developer: Developer }) {
  return (
    <Section
      title="Business verification"
      intro="Live money needs a verified business."
      actions={<Status status={developer.kyb.status} />}
    >
      <Text size="sm" component="div">
        Developer id <CopyText text={developer.developer_id} what="developer id" />
      </Text>
      <AppLink to="/settings/kyb" size="sm">
        {developer.kyb.status === "verified" ? "Show the verification" : "Verify your business"}
      </AppLink>
    </Section>
  );
}

function Password({ developer: { email, auth_methods } }: { readonly developer: Developer }) {
  const hasPassword = auth_methods.includes("password");
  return (
    <Section
      title="Password"
      intro={hasPassword ? "You can sign in with your email address and a password." : "Your account has no password."}
      actions={
        <ActionDialog
          title={hasPassword ? "Change the password" : "Set a password"}
          buttonProps={{ variant: "default", size: "xs" }}
          action="Send the email"
          run={() => api.POST("/developers/password/forgot", { body: { email } })}
        >
          <Text size="sm">
            We send a link to {email}. It works once, for one hour. The new password ends all sessions, also this one.
          </Text>
        </ActionDialog>
      }
    />
  );
}
