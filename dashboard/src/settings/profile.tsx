import { Checkbox, Fieldset, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Developer } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { FormSection } from "../ui/forms/form-section.tsx";
import { notifyDone } from "../ui/forms/notify.ts";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";

const NOTIFICATIONS = {
  approvals: "An agent asks for an approval",
  caps: "Spending comes near a cap",
  security: "Security: keys, sessions, rejected requests",
  product: "News about Purser",
} as const;

/** Who the developer is, and what emails are sent. */
export function Profile({ developer }: { readonly developer: Developer }) {
  const client = useQueryClient();
  const form = useSubmit(async (fields) => {
    await api.PUT("/developers/dashboard/me", { body: changeOf(fields) });
    await client.invalidateQueries();
    notifyDone("The profile is saved.");
  });
  const problems = form.error instanceof RequestError ? form.error.fields : {};
  const names = ["name", "company_name", "website", "country", "timezone", "billing_email"];
  return (
    <FormSection
      title="Profile"
      intro={`You sign in as ${developer.email}.`}
      form={form}
      action="Save the profile"
      hidesError={names.some((name) => name in problems)}
    >
      <Fields developer={developer} problems={problems} />
      <Fieldset variant="unstyled" legend="Emails to you">
        <Stack gap="xs">
          {Object.entries(NOTIFICATIONS).map(([name, label]) => (
            <Checkbox
              key={name}
              name={`notify_${name}`}
              label={label}
              defaultChecked={developer.notification_preferences[name] ?? name !== "product"}
            />
          ))}
        </Stack>
      </Fieldset>
    </FormSection>
  );
}

function Fields({
  developer,
  problems,
}: {
  readonly developer: Developer;
  readonly problems: Readonly<Record<string, string>>;
}) {
  const field = (name: "name" | "company_name" | "website" | "country" | "billing_email") => ({
    name,
    defaultValue: developer[name] ?? "",
    error: problems[name],
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Name" autoComplete="name" maxLength={100} {...field("name")} />
      <TextInput label="Company" autoComplete="organization" maxLength={200} {...field("company_name")} />
      <TextInput label="Website" type="url" placeholder="https://" maxLength={2_048} {...field("website")} />
      <TextInput
        label="Country"
        placeholder="DE"
        description="Two letters"
        autoComplete="country"
        maxLength={2}
        inputWrapperOrder={["label", "input", "description", "error"]}
        {...field("country")}
      />
      <Select
        label="Time zone"
        description="For emails. This page uses the time zone of your browser."
        inputWrapperOrder={["label", "input", "description", "error"]}
        name="timezone"
        searchable
        data={timeZones(developer.timezone)}
        defaultValue={developer.timezone}
        allowDeselect={false}
        error={problems["timezone"]}
      />
      <TextInput label="Billing email" type="email" maxLength={254} {...field("billing_email")} />
    </SimpleGrid>
  );
}

function timeZones(current: string): string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])];
}

/** Returns all fields: an empty one is cleared. */
function changeOf(form: FormData) {
  const field = (name: string) => {
    const text = textOf(form, name).trim();
    return text === "" ? null : text;
  };
  return {
    ...{ name: field("name"), company_name: field("company_name"), website: field("website") },
    ...{ country: field("country")?.toUpperCase() ?? null, timezone: field("timezone") },
    billing_email: field("billing_email"),
    notification_preferences: Object.fromEntries(
      Object.keys(NOTIFICATIONS).map((name) => [name, form.has(`notify_${name}`)]),
    ),
  };
}
