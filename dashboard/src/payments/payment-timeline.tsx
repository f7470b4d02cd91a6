import { Text, Timeline } from "@mantine/core";
import type { AuditEntry } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { Loaded } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/values.tsx";
import type { ShownPayment } from "./payments.tsx";

/** The statuses that the payment has had, from the audit trail. */
export function PaymentTimeline({ payment }: { payment: ShownPayment }) {
  const query = { subject_id: payment.payment_id, limit: 50 };
  return (
    <Section title="Timeline">
      <Loaded query={hooks.useQuery("get", "/audit/entries", { params: { query } })}>
        {({ data }) => (
          <Timeline active={data.length} bulletSize={14} lineWidth={2}>
            {data.toReversed().map((entry) => (
              <Timeline.Item key={entry.audit_id}>
                <Text size="sm">{formatName(entry.action.replace(/^payment\./, ""))}</Text>
                <Text size="xs" c="dimmed">
                  <Time at={entry.occurred_at} /> · by {actorOf(entry, payment)}
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Section>
  );
}

const ACTORS = { developer: "you", admin: "an admin", system: "Purser" };

function actorOf({ actor: { type, id } }: AuditEntry, { agent_id }: ShownPayment): string {
  return type === "agent" ? (id === agent_id ? "the agent" : "another agent") : ACTORS[type];
}
