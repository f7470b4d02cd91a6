import { Group, Paper, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import type { Policy } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useAgentName, useAgents } from "../ui/names.tsx";
import { AppLink, useFilters, useGo, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Time } from "../ui/values.tsx";
import { BacktestTab } from "./backtest.tsx";
import { parseContent } from "./content.ts";
import { DryRun } from "./dry-run.tsx";
import { attachedAgents } from "./policies.tsx";
import { type Draft, PolicyEditor } from "./policy-editor.tsx";
import { Versions } from "./versions.tsx";

/** One policy: its rules, what they would decide, and its versions. */
export function PolicyPage() {
  const params = { path: { policy_id: useId("policyId") } };
  const query = hooks.useQuery("get", "/policies/{policy_id}", { params });
  const policy = query.data;
  return (
    <Page
      title={policy?.name ?? "Policy"}
      intro={
        policy?.starter
          ? "The starter policy applies to agents without another policy."
          : "It applies to its agents, wallets and projects, together with their other policies."
      }
      back={{ label: "Policies", to: "/policies" }}
      actions={policy && !policy.starter && <DeletePolicy policy={policy} />}
    >
      <Loaded query={query}>{(loaded) => <Details key={loaded.policy_id} policy={loaded} />}</Loaded>
    </Page>
  );
}

const TABS = { rules: "Rules", try: "Dry run", backtest: "Back-test", versions: "Versions" };

function Details({ policy }: { readonly policy: Policy }) {
  const { values, set } = useFilters("tab");
  const [draft, setDraft] = useState<Draft>();
  const parsed = draft && parseContent(draft.text);
  const content = typeof parsed === "object" ? parsed : policy;
  const tab = values.tab ?? "rules";
  return (
    <>
      <PolicyFacts policy={policy} />
      <Tabs value={tab} onChange={(next) => set("tab", next === "rules" ? null : next)} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(TABS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === "rules" && <PolicyEditor policy={policy} draft={draft} setDraft={setDraft} />}
          {tab === "try" && <DryRun content={content} />}
          {tab === "backtest" && <BacktestTab policyId={policy.policy_id} content={content} />}
          {tab === "versions" && <Versions policy={policy} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function PolicyFacts({ policy }: { readonly policy: Policy }) {
  const nameOf = useAgentName();
  const links = attachedAgents(policy, useAgents()).map((agentId) => (
    <AppLink key={agentId} to={`/agents/${agentId}`} size="sm">
      {nameOf(agentId)}
    </AppLink>
  ));
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          [
            "Agents",
            links.length > 0 ? (
              <Group key="agents" gap="xs">
                {links}
              </Group>
            ) : (
              "None"
            ),
          ],
          ["Id", <CopyText key="id" text={policy.policy_id} what="policy id" />],
          [
            "Version",
            <span key="version">
              {policy.version}, since <Time at={policy.updated_at} />
            </span>,
          ],
        ]}
      />
    </Paper>
  );
}

function DeletePolicy({ policy: { policy_id, name } }: { readonly policy: Policy }) {
  const go = useGo();
  const run = async () => {
    await api.DELETE("/policies/{policy_id}", { params: { path: { policy_id } } });
    go("/policies");
  };
  return (
    <ActionDialog
      title={`Delete ${name}`}
      button="Delete"
      buttonProps={{ variant: "light", color: "red" }}
      action="Delete the policy"
      isDangerous
      typeToConfirm={name}
      run={run}
    >
      <Text size="sm">Its rules stop applying at once. Agents without another policy follow the starter policy.</Text>
    </ActionDialog>
  );
}
