import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Attention } from "../api/api-types.ts";
import { displayNameOf, formatAmount, formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/values.tsx";

type Item = readonly [to: string, what: string, detail: ReactNode, key?: string];

/** What needs a person now, each with the screen on which to act. */
export function AttentionList({ attention }: { attention: Attention }) {
  const items = itemsOf(attention);
  if (items.length === 0) return null;
  return (
    <Section title="Needs you now">
      {items.map(([to, what, detail, key = to]) => (
        <Group key={key} justify="space-between" gap="xs">
          <AppLink to={to} size="sm">
            {what}
          </AppLink>
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        </Group>
      ))}
      {Object.values(attention).some(({ more }) => more) && (
        <Text size="sm">There is more. The screens show all of it.</Text>
      )}
    </Section>
  );
}

function itemsOf({ approvals, links, frozen_wallets, keys, projects, billing }: Attention): readonly Item[] {
  return [
    ...approvals.data.map(({ approval_id: id, title, amount, currency, expires_at }): Item => {
      const until = <Time key="until" at={expires_at} />;
      return [
        `/approvals/${id}`,
        `Approve or deny: ${title}`,
        [amount && formatAmount(amount, currency?.toUpperCase()), " until ", until],
      ];
    }),
    ...billing.data.map(({ project_id: id, name, billing_status }): Item => {
      return [`/projects/${id}?tab=billing`, `Add a card to ${name}`, formatName(billing_status)];
    }),
    ...projects.data.map(({ project_id: id, name, status, cap_reached }): Item => {
      const what = cap_reached ? `${name} has reached its cap` : `${name} is ${status}`;
      return [`/projects/${id}`, what, formatName(status)];
    }),
    ...links.data.map(({ link_id, project_id: id, project_name, provider, status }): Item => {
      const what = `Link ${displayNameOf(provider)} to ${project_name} again`;
      return [`/projects/${id}?tab=links`, what, formatName(status), link_id];
    }),
    ...frozen_wallets.data.map(({ wallet_id: id, agent_name, agent_id, network }): Item => {
      return [`/wallets/${id}`, `The wallet of ${agent_name ?? agent_id} is frozen`, network];
    }),
    ...keys.data.map(({ key_id, name, reason, ends_at }): Item => {
      const what = reason === "expires" ? `The key ${name} expires` : `The replaced key ${name} stops working`;
      return ["/keys", what, <Time key="ends" at={ends_at} />, key_id];
    }),
  ];
}
