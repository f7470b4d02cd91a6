import { Alert, Anchor, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { CatalogProvider, Link, LinkProviderRequest } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { displayNameOf } from "../ui/format.ts";
import { ActionDialog, SMALL } from "../ui/forms/action-dialog.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, linesColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Empty } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
import { type TabProps, useCatalog } from "./parts.tsx";

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
  const code = `const link = await purser.projects.links.begin("${project_id}", { provider: "neon" });
console.log("Open in a browser:", link.url);`;
  const text = "Link one here, or let your code ask for it. A person then opens the address:";
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
        empty={<Empty title="No providers linked yet" text={text} code={code} />}
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

function ChooseProvider({ project: { project_id, links }, provider, change }: ChoiceProps) {
  const providers = useCatalog().data?.data ?? [];
  const chosen = providers.find((one) => one.provider === provider);
  const isLinked = links.some((one) => one.provider === provider && one.status === "linked");
  return (
    <Stack>
      <Select
        {...{ label: "Provider", searchable: true, value: provider, onChange: change }}
        data={providers.map(({ provider: value, display_name: label }) => ({ value, label }))}
      />
      {isLinked && <Text size="sm">It is linked already. The new link replaces the old one when it is completed.</Text>}
      {chosen !== undefined && (
        <LinkProvider
          key={provider}
          {...{ projectId: project_id, provider: chosen, back: "tab=links", force: isLinked }}
        />
      )}
    </Stack>
  );
}

function columns(linkAgain: (provider: string) => void): readonly Column<Link>[] {
  return [
    linesColumn("Provider", ({ provider }) => displayNameOf(provider), { below: ({ account_label }) => account_label }),
    linesColumn("Status", ({ status }) => status, {
      below: adviceFor,
      top: ({ status }) => <Status status={status} />,
    }),
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
          {...{ title: `Revoke the link to ${provider}`, button: "Revoke", isSmall: true, action: "Revoke the link" }}
          isDangerous
          run={revoke}
          text="Purser deletes its tokens and ends them at the provider, unless you pasted them. Services that use the link must be removed first."
        />
      )}
    </Group>
  );
}

const EXPLANATIONS: Readonly<Record<CatalogProvider["auth"], string>> = {
  oauth: "Its consent page opens in this tab. You come back here when you have agreed.",
  api_token:
    "A form opens in this tab, into which you paste a token of your account. Purser checks and encrypts it. Someone else can open the form at its address.",
  instant: "It creates an account for your email address. If you have one there, its consent page opens in this tab.",
};

interface LinkProviderProps {
  readonly projectId: string;
  readonly provider: CatalogProvider;
  /** The query with which the provider leads back to this screen. */
  readonly back: string;
  /** Whether to replace a link that works. */
  readonly force?: boolean;
}

/** Links the project to the developer's account at a provider. */
export function LinkProvider({ projectId, provider, back, force }: LinkProviderProps) {
  const { display_name: name, auth, terms } = provider;
  const form = useSubmit(async () => {
    const { origin, pathname } = window.location;
    const { data: link } = await api.POST("/projects/{project_id}/link", {
      params: { path: { project_id: projectId } },
      body: {
        // The declared names are those of production. The catalog knows those of this server.
        provider: provider.provider as LinkProviderRequest["provider"],
        redirect_uri: `${origin}${pathname}?${back}`,
        accept_terms_version: terms.version,
        force: force || undefined,
      },
    });
    if (link?.url) window.location.assign(link.url);
  });
  return (
    <SubmitForm form={form} action={`Link ${name}`}>
      <Text size="sm">
        {EXPLANATIONS[auth]} By linking, you accept the{" "}
        <Anchor href={terms.url} target="_blank" rel="noreferrer" size="sm" underline="always">
          terms of {name}
        </Anchor>
        .
      </Text>
    </SubmitForm>
  );
}

/** What to do about each reason why a link failed. */
const FAILURES: Readonly<Record<NonNullable<Link["error"]>, string>> = {
  access_denied: "Access was denied on the provider's page. Link again and agree there.",
  exchange_failed: "The provider rejected its own code. Link again.",
  token_refused: "The provider rejected the token. Create a new one there, then link again.",
  provider_refused: "The provider returned an error. Link again later.",
  provider_unavailable: "The provider could not be reached. Link again in a minute.",
  other_account:
    "The project has services in another account there. Link that account, or remove these services first.",
  project_not_active: "The project is not active. Reactivate it, then link again.",
};

/** Returns what to do about a link that does not work. */
function adviceFor({ status, error }: Link): string {
  if (error !== null) return FAILURES[error];
  if (status === "expired") return "It was not finished within ten minutes, or a newer one replaced it. Link again.";
  if (status === "pending_auth") return "Waits for a person to finish it at the provider, for ten minutes.";
  if (status === "revoked") return "It was revoked here. Link again to add services.";
  return "";
}

/** Shows how a link ended, after the browser came back from the provider: `?link_id=lnk_…`. */
export function LinkOutcome({ projectId: project_id }: { readonly projectId: string }) {
  const { values, set } = useFilters("link_id", "tab");
  const { link_id = "" } = values;
  const params = { path: { project_id, link_id } };
  const { data: link } = hooks.useQuery(
    ...(["get", "/projects/{project_id}/links/{link_id}", { params }, { enabled: link_id !== "" }] as const),
  );
  if (link === undefined || link.status === "pending_auth") return null;
  const isLinked = link.status === "linked";
  const title = `${displayNameOf(link.provider)} is ${isLinked ? "" : "not "}linked`;
  const text = isLinked ? link.account_label && `The account is ${link.account_label}.` : adviceFor(link);
  const close = { withCloseButton: true, closeButtonLabel: "Close", onClose: () => set("link_id", null) };
  return <Alert {...{ color: isLinked ? "teal" : "red", role: "status", title, ...close }}>{text}</Alert>;
}
