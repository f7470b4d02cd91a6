import { Alert, Text } from "@mantine/core";
import type { KybCase } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { FormSection, notifyDone } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import type { Option } from "../ui/names.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const INTRO = "Before real money can move, a person checks that your business exists.";

/** The verification of the developer's business, which live money needs. */
export function Kyb() {
  const query = hooks.useQuery("get", "/developers/dashboard/kyb");
  return (
    <Page title="Business verification" intro={INTRO} back={{ label: "Settings", to: "/settings" }}>
      <Loaded query={query}>
        {(kyb) => (
          <>
            <Standing kyb={kyb} />
            {kyb.status !== "verified" && <BusinessForm key={kyb.submitted_at} kyb={kyb} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const MEANINGS: Readonly<Record<KybCase["status"], string>> = {
  none: "Send the data of your business below. Until it is verified, you can use everything in test mode.",
  pending: "We have your data. A person checks it. Until then, you can still correct it below.",
  verified: "Your business is verified. Live money can move.",
  rejected: "The verification did not succeed. Correct the data below, and send it again.",
  revoked: "The verification was taken back. Send the data again, or ask the operator of this server.",
  expired: "The verification was only valid for a time. Send the data again.",
};

function Standing({ kyb }: { readonly kyb: KybCase }) {
  const status = <Status status={kyb.status === "none" ? "not_started" : kyb.status} />;
  return (
    <Section title="Status" intro={MEANINGS[kyb.status]} actions={status}>
      {kyb.reason !== null && <Alert {...{ color: "orange", title: "Reason" }}>{kyb.reason}</Alert>}
      {kyb.legal_name !== null && (
        <Facts
          facts={[
            ["Legal name", kyb.legal_name],
            ["Registration number", kyb.registration_number],
            ["Registered in", kyb.jurisdiction],
            ["Sent", <Time key="sent" at={kyb.submitted_at} />],
            ["Decided", <Time key="decided" at={kyb.decided_at} none="Not yet" />],
          ]}
        />
      )}
    </Section>
  );
}

const REGIONS = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const NO_COUNTRY = /^(AC|C[PQ]|DG|E[AUZ]|IC|QO|TA|UN|X.|ZZ)$/;

/** The countries of ISO 3166-1 by name. `Intl` names other regions too, and former countries, whose codes it replaces. */
export const COUNTRIES: readonly Option[] = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .filter((code) => !NO_COUNTRY.test(code) && new Intl.Locale(`und-${code}`).region === code)
  .map((value) => ({ value, label: REGIONS.of(value) ?? "" }))
  .filter(({ label }) => label !== "")
  .sort((one, other) => one.label.localeCompare(other.label));

const FIELDS = [
  { name: "legal_name", label: "Legal name", description: "As in the register, with its legal form", maxLength: 300 },
  { name: "registration_number", label: "Registration number", maxLength: 100 },
  { name: "jurisdiction", label: "Country of the register", input: "clearable", data: COUNTRIES },
] as const;

function BusinessForm({ kyb }: { readonly kyb: KybCase }) {
  const form = useSubmit(async (fields) => {
    const [legal_name, registration_number] = [textOf(fields, "legal_name"), textOf(fields, "registration_number")];
    const jurisdiction = textOf(fields, "jurisdiction");
    await api.POST("/developers/dashboard/kyb", { body: { legal_name, registration_number, jurisdiction } });
    notifyDone("Your data was sent.");
  });
  const [title, action] =
    kyb.status === "none" ? ["Your business", "Send for verification"] : ["Correct the data", "Send again"];
  const fields = FIELDS.map((field) => ({ ...field, required: true, defaultValue: kyb[field.name] }));
  return (
    <FormSection {...{ title, action, form, fields }}>
      <Text size="sm" c="dimmed">
        The data is stored encrypted. Only you and the people who check it can see it.
      </Text>
    </FormSection>
  );
}
