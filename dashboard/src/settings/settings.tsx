import { Checkbox, Fieldset, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import type { DashboardSession, Developer, Identity } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { Fields, invalidFields } from "../ui/forms/fields.tsx";
import { FormSection, notifyDone } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, linesColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows, PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { optionsOf } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import { COUNTRIES } from "./kyb.tsx";
import { TwoFactor } from "./two-factor.tsx";

interface DeveloperProps {
  readonly developer: Developer;
}

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

const PROFILE = [
  { name: "name", label: "Name", autoComplete: "name", maxLength: 100 },
  { name: "company_name", label: "Company", autoComplete: "organization", maxLength: 200 },
  { name: "website", label: "Website", type: "url", placeholder: "https://", maxLength: 2_048 },
  { name: "country", label: "Country", input: "clearable", data: COUNTRIES },
  { name: "billing_email", label: "Billing email", type: "email", maxLength: 254 },
] as const;

/** Emails that can be switched off. Those about the security of the account always go. */
const NOTIFICATIONS = {
  approvals: "An agent asks for an approval",
  caps: "A live project has used 80 or 100 percent of its monthly cap",
} as const;

/** Who the developer is, and what emails are sent. An empty field is cleared. */
function Profile({ developer }: DeveloperProps) {
  const form = useSubmit(async (fields) => {
    const field = (name: string) => textOf(fields, name).trim() || null;
    const notifies = Object.keys(NOTIFICATIONS).map((name) => [name, fields.has(`notify_${name}`)]);
    await api.PUT("/developers/dashboard/me", {
      body: {
        ...Object.fromEntries(PROFILE.map(({ name }) => [name, field(name)])),
        timezone: field("timezone"),
        notification_preferences: Object.fromEntries(notifies),
      },
    });
    notifyDone("The profile is saved.");
  });
  const zones = [...new Set(["UTC", developer.timezone, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <FormSection title="Profile" intro={`You sign in as ${developer.email}.`} form={form} action="Save the profile">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fields
          fields={PROFILE.map((field) => ({ ...field, defaultValue: developer[field.name] }))}
          error={form.error}
        />
        <Select
          {...{ name: "timezone", label: "Time zone of emails", searchable: true, allowDeselect: false, data: zones }}
          defaultValue={developer.timezone}
          error={invalidFields(form.error)["timezone"]}
        />
      </SimpleGrid>
      <Fieldset variant="unstyled" legend="Emails to you">
        <Stack gap="xs">
          {Object.entries(NOTIFICATIONS).map(([name, label]) => (
            <Checkbox
              key={name}
              {...{ name: `notify_${name}`, label }}
              defaultChecked={developer.notification_preferences[name] ?? true}
            />
          ))}
        </Stack>
      </Fieldset>
    </FormSection>
  );
}

function Business({ developer: { kyb, developer_id } }: DeveloperProps) {
  const status = <Status status={kyb.status} />;
  return (
    <Section title="Business verification" intro="Live money needs a verified business." actions={status}>
      <Text size="sm" component="div">
        Developer id <CopyText text={developer_id} what="developer id" />
      </Text>
      <AppLink to="/settings/kyb" size="sm">
        {kyb.status === "verified" ? "Show the verification" : "Verify your business"}
      </AppLink>
    </Section>
  );
}

function Password({ developer: { email, auth_methods } }: DeveloperProps) {
  const hasPassword = auth_methods.includes("password");
  const intro = hasPassword
    ? "You can sign in with your email address and a password."
    : "Your account has no password.";
  const change = (
    <ActionDialog
      title={hasPassword ? "Change the password" : "Set a password"}
      buttonProps={{ variant: "default", size: "xs" }}
      action="Send the email"
      run={() => api.POST("/developers/password/forgot", { body: { email } })}
      text={`We send a link to ${email}. It works once, for one hour. The new password ends all sessions, also this one.`}
    />
  );
  return <Section title="Password" intro={intro} actions={change} />;
}

function Sessions() {
  const params = { query: { limit: 20 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/developers/dashboard/sessions", { params }, PAGED));
  return (
    <ListTable
      {...{ label: "Sessions", list, columns: SESSION_COLUMNS, empty: null }}
      rowKey={({ session_id }) => session_id}
    />
  );
}

const SESSION_COLUMNS: readonly Column<DashboardSession>[] = [
  linesColumn("Browser", ({ user_agent }) => user_agent, {
    below: ({ ip }) => ip ?? "Unknown network",
    top: ({ user_agent }) => nameOf(user_agent),
  }),
  timeColumn("Signed in", ({ created_at }) => created_at, MINOR),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, {}),
  { title: "Actions", align: "right", show: (session) => <EndSession session={session} /> },
];

const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
const SYSTEMS = {
  Windows: "Windows",
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Mac: "macOS",
  Linux: "Linux",
};

/** Returns browser and system from a User-Agent header: `Firefox on Windows`. */
function nameOf(userAgent: string | null): string {
  const known = [BROWSERS, SYSTEMS].map((names) => optionsOf(names).find(({ value }) => userAgent?.includes(value)));
  return known.flatMap((name) => name?.label ?? []).join(" on ") || (userAgent ?? "Unknown program");
}

function EndSession({ session: { session_id, current, user_agent } }: { readonly session: DashboardSession }) {
  if (current) return <Dimmed>This session</Dimmed>;
  const params = { path: { session_id } };
  return (
    <ActionDialog
      {...{ title: "End the session", button: "End", isSmall: true, action: "End the session", isDangerous: true }}
      run={() => api.DELETE("/developers/dashboard/sessions/{session_id}", { params })}
      text={`${nameOf(user_agent)} is signed out at once.`}
    />
  );
}

const SITES: Readonly<Record<Identity["provider"], string>> = { github: "GitHub", google: "Google" };

/** The accounts of other sites with which the developer can sign in. */
function Identities() {
  const list = allRows(hooks.useQuery("get", "/developers/dashboard/identities"));
  const options = hooks.useQuery("get", "/developers/login-options");
  const names = (options.data?.identity_providers ?? []).map((provider) => SITES[provider]);
  const text =
    names.length === 0
      ? "This server offers no sign-in with other sites."
      : `Sign out, and sign in with ${names.join(" or ")}: if it has your email address, it is linked.`;
  return (
    <Section title="Linked identities" intro="Accounts of other sites with which you can sign in.">
      <ListTable
        label="Linked identities"
        list={list}
        rowKey={({ provider }) => provider}
        columns={IDENTITY_COLUMNS}
        empty={<Empty title="None linked" text={text} />}
      />
    </Section>
  );
}

const IDENTITY_COLUMNS: readonly Column<Identity>[] = [
  textColumn("Site", ({ provider }) => SITES[provider]),
  textColumn("Account", ({ email }) => email),
  timeColumn("Linked", ({ linked_at }) => linked_at, MINOR),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR),
  { title: "Actions", align: "right", show: (identity) => <Unlink identity={identity} /> },
];

function Unlink({ identity: { provider } }: { readonly identity: Identity }) {
  const params = { path: { provider } };
  return (
    <ActionDialog
      {...{ title: `Unlink ${SITES[provider]}`, button: "Unlink", isSmall: true, action: "Unlink", isDangerous: true }}
      run={(_, proof) => api.DELETE("/developers/dashboard/identities/{provider}", { params, body: proof })}
      text={`You can no longer sign in with ${SITES[provider]}.`}
    />
  );
}
