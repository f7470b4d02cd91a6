import { Badge, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { CatalogProvider } from "../api/api-types.ts";
import { Loaded } from "../ui/page.tsx";
import { Status } from "../ui/values.tsx";
import { SMALL, useCatalog } from "./parts.tsx";
import { priceText } from "./plans.tsx";

/** The providers and their services, with a search. */
export function CatalogList({ choose }: { readonly choose: (service: string) => void }) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), 250);
  const catalog = useCatalog(q === "" ? {} : { q });
  return (
    <Stack>
      <TextInput
        label="Search the catalog"
        placeholder="postgres, queue, analytics"
        leftSection={<IconSearch size={16} />}
        maxLength={100}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        data-autofocus
      />
      <Loaded query={catalog}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm">Nothing in the catalog matches.</Text>
          ) : (
            data.map((provider) => <Provider key={provider.provider} provider={provider} choose={choose} />)
          )
        }
      </Loaded>
    </Stack>
  );
}

function Provider({
  provider: { display_name, categories, health, services },
  choose,
}: {
  readonly provider: CatalogProvider;
  readonly choose: (service: string) => void;
}) {
  return (
    <Paper withBorder p="sm" component="section" aria-label={display_name}>
      <Group gap="xs" mb="xs">
        <Text fw={600}>{display_name}</Text>
        {categories.map((category) => (
          <Badge key={category} variant="light" color="gray" tt="none">
            {category}
          </Badge>
        ))}
        {health !== "ok" && <Status status={health} />}
      </Group>
      <Stack gap="sm">
        {services.map(({ service, description, plans }) => (
          <Group key={service} justify="space-between" align="start" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {service}
              </Text>
              <Text size="sm" c="dimmed">
                {description}
              </Text>
              <Text size="xs" c="dimmed">
                {plans.map((plan) => `${plan.plan}: ${priceText(plan.pricing)}`).join(" · ")}
              </Text>
            </div>
            <Button
              {...SMALL}
              style={{ flexShrink: 0 }}
              onClick={() => choose(service)}
              aria-label={`Choose ${service}`}
            >
              Choose
            </Button>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
