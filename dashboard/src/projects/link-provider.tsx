import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogProvider, Link, LinkProviderRequest } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { useFilters } from "../ui/navigation.tsx";

const EXPLANATIONS: Readonly<Record<CatalogProvider["auth"], string>> = {
  oauth: "Its consent page opens in this tab. You come back here when you have agreed.",
  api_token: "You paste a token of your account there into a form. Purser checks it and stores it encrypted.",
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
  const client = useQueryClient();
  const [formUrl, setFormUrl] = useState<string>();
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
    if (link?.flow === "api_token") setFormUrl(link.url ?? undefined);
    else if (link?.url) window.location.assign(link.url);
    await client.invalidateQueries();
  });
  if (formUrl !== undefined) return <PasteForm name={name} url={formUrl} />;
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

/** Where to paste the token: here, or by someone else who gets the address. */
function PasteForm({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <Alert color="indigo" title={`Paste a token of ${name}`}>
      <Stack gap="sm" align="start">
        <Text size="sm">
          Open the form within ten minutes, or give its address to the person who manages your account at {name}.
        </Text>
        <CopyText text={url} what="address of the form" />
        <Button component="a" href={url}>
          Open the form
        </Button>
      </Stack>
    </Alert>
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
export function adviceFor({ status, error }: Link): string {
  if (error !== null) return FAILURES[error];
  if (status === "expired") return "It was not finished within ten minutes, or a newer one replaced it. Link again.";
  if (status === "pending_auth") return "Waits for a person to finish it at the provider, for ten minutes.";
  if (status === "revoked") return "It was revoked here. Link again to add services.";
  return "";
}

/** Shows how a link ended, after the browser came back from the provider: `?link_id=lnk_…`. */
export function LinkOutcome({ projectId: project_id }: { readonly projectId: string }) {
  const { link_id = "" } = useFilters("link_id").values;
  const params = { path: { project_id, link_id } };
  const { data: link } = hooks.useQuery(
    ...(["get", "/projects/{project_id}/links/{link_id}", { params }, { enabled: link_id !== "" }] as const),
  );
  if (link === undefined || link.status === "pending_auth") return null;
  const isLinked = link.status === "linked";
  const title = `${link.provider} is ${isLinked ? "" : "not "}linked`;
  const text = isLinked ? link.account_label && `The account is ${link.account_label}.` : adviceFor(link);
  return <Alert {...{ color: isLinked ? "teal" : "red", role: "status", title }}>{text}</Alert>;
}
