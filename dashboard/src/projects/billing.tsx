import { Alert, SimpleGrid, Stack } from "@mantine/core";
import type { ProjectOverview } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Facts, Loaded } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Time } from "../ui/values.tsx";
import { AT_CAP, CapBar, EditCaps } from "./caps.tsx";
import { Charges, Invoices } from "./charges.tsx";
import type { TabProps } from "./parts.tsx";
import { Card } from "./payment-card.tsx";

export function Billing({ project }: TabProps) {
  const { project_id } = project;
  const overview = hooks.useQuery("get", "/projects/{project_id}/status", { params: { path: { project_id } } });
  const intro = "What the project can cost in a calendar month.";
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Section title="Monthly cap" intro={intro} actions={<EditCaps project={project} />}>
          <Loaded query={overview}>{(data) => <Cap overview={data} />}</Loaded>
        </Section>
        <Card project={project} />
      </SimpleGrid>
      <Charges projectId={project_id} />
      <Invoices projectId={project_id} />
    </Stack>
  );
}

const WARNINGS: Readonly<Record<ProjectOverview["warnings"][number], string>> = {
  cap_reached: "The cap is reached. Raise it to add more.",
  cap_nearly_reached: "The cap is nearly reached.",
  forecast_over_cap: "At this rate, the month will cost more than the cap.",
};

function Cap({ overview: { cap, by_provider, warnings } }: { readonly overview: ProjectOverview }) {
  return (
    <>
      {warnings.map((warning) => (
        <Alert key={warning} color="orange" py="xs">
          {WARNINGS[warning]}
        </Alert>
      ))}
      <CapBar {...cap} cap={cap.monthly_cap} label="Spent of the monthly cap" />
      <Facts
        facts={[
          ["Left", <Amount key="left" amount={cap.remaining} currency="USD" />],
          ["Expected by the end of the month", <Amount key="forecast" amount={cap.forecast} currency="USD" />],
          ["At the cap", AT_CAP[cap.behavior]],
          ["Starts again", <Time key="end" at={cap.period_end} />],
          ...by_provider.map(({ provider, ...used }) => {
            return [provider, <CapBar key={provider} {...used} label={`Spent at ${provider}`} />] as const;
          }),
        ]}
      />
    </>
  );
}
