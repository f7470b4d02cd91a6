import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { Link } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Empty } from "../ui/page.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import { adviceFor, LinkOutcome, LinkProvider } from "./link-provider.tsx";
import type { TabProps } from "./parts.tsx";
import { Section, SMALL, SMALL_RED, useCatalog } from "./parts.tsx";

export function Links({ project }: TabProps) {
  const { project_id } = project;
  const [provider, setProvider] = useState<string | null>(null);
  const [isOpen, { open, close }] = useDisclosure(false);
  const params = { path: { project_id }, query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/links", { params }, PAGED));
  const linkAgain = (name: string | null) => {
    setProvider(name);
    open();
  };
  return (
    <Section
      intro="A link lets Purser create services in your account at a provider."
      actions={<Button onClick={() => linkAgain(null)}>Link a provider</Button>}
    >
      <LinkOutcome projectId={project_id} />
      <ListTable
        label="Links"
        list={list}
        rowKey={({ link_id }) => link_id}
        columns={columns(linkAgain)}
        empty={
          <Empty title="No providers linked yet">
            <Text size="sm">Link one here, or let your code ask for it. A person then opens the address:</Text>
            <Snippet
              code={`const link = await purser.projects.links.begin("${project_id}", { provider: "neon" });
console.log("Open in a browser:", link.url);`}
            />
          </Empty>
        }
      />
      <Modal opened={isOpen} onClose={close} title="Link a provider" closeButtonProps={{ "aria-label": "Close" }}>
        <ChooseProvider project={project} provider={provider} change={setProvider} />
      </Modal>
    </Section>
  );
}

interface ChoiceProps extends TabProps {
  readonly provider: string | null;
  readonly change: (provider: string | null) => void;
}

function ChooseProvider({ project, provider, change }: ChoiceProps) {
  const { data } = useCatalog();
  const chosen = data?.data.find((one) => one.provider === provider);
  const isLinked = project.links.some((one) => one.provider === provider && one.status === "linked");
  return (
    <Stack>
      <Select
        label="Provider"
        searchable
        data={(data?.data ?? []).map(({ provider: value, display_name: label }) => ({ value, label }))}
        value={provider}
        onChange={change}
      />
      {isLinked && <Text size="sm">It is linked already. The new link replaces the old one when it is completed.</Text>}
      {chosen !== undefined && (
        <LinkProvider
          key={chosen.provider}
          projectId={project.project_id}
          provider={chosen}
          back={{ tab: "links" }}
          force={isLinked}
        />
      )}
    </Stack>
  );
}

function columns(linkAgain: (provider: string) => void): readonly Column<Link>[] {
  return [
    {
      title: "Provider",
      csv: ({ provider }) => provider,
      show: ({ provider, account_label }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {provider}
          </Text>
          {account_label !== null && <Dimmed>{account_label}</Dimmed>}
        </Stack>
      ),
    },
    {
      title: "Status",
      csv: ({ status }) => status,
      show: (link) => (
        <Stack gap={2} align="start" maw={360}>
          <Status status={link.status} />
          {adviceFor(link) !== "" && <Dimmed>{adviceFor(link)}</Dimmed>}
        </Stack>
      ),
    },
    timeColumn("Linked", ({ linked_at }) => linked_at),
    timeColumn("Started", ({ created_at }) => created_at),
    { title: "Actions", align: "right", show: (link) => <LinkActions link={link} linkAgain={linkAgain} /> },
  ];
}

function LinkActions({ link, linkAgain }: { readonly link: Link; readonly linkAgain: (provider: string) => void }) {
  const { project_id, link_id, provider, status } = link;
  const isOpen = status === "linked" || status === "pending_auth";
  const revoke = () =>
    api.DELETE("/projects/{project_id}/links/{link_id}", { params: { path: { project_id, link_id } } });
  return (
    <Group gap={4} justify="end">
      {status !== "linked" && (
        <Button {...SMALL} onClick={() => linkAgain(provider)}>
          Link again
        </Button>
      )}
      {isOpen && (
        <ActionDialog
          title={`Revoke the link to ${provider}`}
          button="Revoke"
          buttonProps={SMALL_RED}
          action="Revoke the link"
          isDangerous
          run={revoke}
        >
          <Text size="sm">
            Purser deletes its tokens and ends them at the provider, unless you pasted them. Services that use the link
            must be removed first.
          </Text>
        </ActionDialog>
      )}
    </Group>
  );
}
