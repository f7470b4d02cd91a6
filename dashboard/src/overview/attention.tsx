import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Attention } from "../api/api-types.ts";
import { displayNameOf, formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Amount, Time } from "../ui/values.tsx";

interface Item {
  readonly key: string;
  readonly to: string;
  readonly what: string;
  readonly detail: ReactNode;
}

/** What needs a person now, each with the screen on which to act. */
export function AttentionList({ attention }: { readonly attention: Attention }) {
  const items = itemsOf(attention);
  if (items.length === 0) return null;
  const isCut = Object.values(attention).some(({ more }) => more);
  return (
    <Paper withBorder p="md" component="section" aria-label="Needs you now">
      <Title order={2} size="h4" mb="sm">
        Needs you now
      </Title>
      <Stack gap="xs">
        {items.map(({ key, to, what, detail }) => (
          <Group key={key} justify="space-between" gap="xs">
            <AppLink to={to} size="sm">
              {what}
            </AppLink>
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
          </Group>
        ))}
        {isCut && <Text size="sm">There is more. The screens show all of it.</Text>}
      </Stack>
    </Paper>
  );
}

function itemsOf({ approvals, links, frozen_wallets, keys, projects, billing }: Attention): readonly Item[] {
  return [
    ...approvals.data.map(({ approval_id, title, amount, currency, expires_at }) => ({
      key: approval_id,
      to: `/approvals/${approval_id}`,
      what: `Approve or deny: ${title}`,
      detail: (
        <>
          {amount !== null && <Amount amount={amount} currency={currency?.toUpperCase()} />} until{" "}
          <Time at={expires_at} />
        </>
      ),
    })),
    ...billing.data.map(({ project_id, name, billing_status }) => ({
      key: `billing-${project_id}`,
      to: `/projects/${project_id}?tab=billing`,
      what: `Add a card to ${name}`,
      detail: formatName(billing_status),
    })),
    ...projects.data.map(({ project_id, name, status, cap_reached }) => ({
      key: project_id,
      to: `/projects/${project_id}`,
      what: cap_reached ? `${name} has reached its cap` : `${name} is ${status}`,
      detail: formatName(status),
    })),
    ...links.data.map(({ link_id, project_id, project_name, provider, status }) => ({
      key: link_id,
      to: `/projects/${project_id}?tab=links`,
      what: `Link ${displayNameOf(provider)} to ${project_name} again`,
      detail: formatName(status),
    })),
    ...frozen_wallets.data.map(({ wallet_id, agent_name, agent_id, network }) => ({
      key: wallet_id,
      to: `/wallets/${wallet_id}`,
      what: `The wallet of ${agent_name ?? agent_id} is frozen`,
      detail: network,
    })),
    ...keys.data.map(({ key_id, name, reason, ends_at }) => ({
      key: key_id,
      to: "/keys",
      what: reason === "expires" ? `The key ${name} expires` : `The replaced key ${name} stops working`,
      detail: <Time at={ends_at} />,
    })),
  ];
}
