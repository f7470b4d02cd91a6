import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogProvider, Link, LinkProviderRequest } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { useFilters, useMode } from "../ui/navigation.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";

const EXPLANATIONS: Readonly<Record<CatalogProvider["auth"], string>> = {
  oauth: "Its consent page opens in this tab. You come back here when you have agreed.",
  api_token: "You paste a token of your account there into a form. Purser checks it and stores it encrypted.",
  instant: "It creates an account for your email address. If you have one there, its consent page opens in this tab.",
};

/** Links the project to the developer's account at a provider, and comes back to this screen with `back` as its query. */
export function LinkProvider({
  projectId,
  provider,
  back,
  force = false,
}: {
  readonly projectId: string;
  readonly provider: CatalogProvider;
  readonly back: Readonly<Record<string, string>>;
  /** Whether to replace a link that works. */
  readonly force?: boolean;
}) {
  const mode = useMode();
  const client = useQueryClient();
  const [state, setState] = useState<{ readonly link?: Link; readonly error?: unknown; readonly isRunning?: boolean }>(
    {},
  );
  const begin = async () => {
    setState({ isRunning: true });
    const returnTo = `/dashboard/${mode}/projects/${projectId}?${new URLSearchParams(back)}`;
    try {
      const { data: link } = await api.POST("/projects/{project_id}/link", {
        params: { path: { project_id: projectId } },
        body: {
          // The declared names are those of production. The catalog knows those of this server.
          provider: provider.provider as LinkProviderRequest["provider"],
          redirect_uri: new URL(returnTo, window.location.href).href,
          accept_terms_version: provider.terms.version,
          ...(force && { force }),
        },
      });
      if (link?.url !== undefined && link.url !== null && link.flow !== "api_token") window.location.assign(link.url);
      else setState({ ...(link !== undefined && { link }) });
      await client.invalidateQueries();
    } catch (error) {
      setState({ error });
    }
  };
  if (state.link?.url !== undefined && state.link.url !== null) {
    return <PasteForm name={provider.display_name} url={state.link.url} />;
  }
  return (
    <Stack gap="sm" align="start">
      <Text size="sm">
        {EXPLANATIONS[provider.auth]} By linking, you accept the{" "}
        <Anchor href={provider.terms.url} target="_blank" rel="noreferrer" size="sm" underline="always">
          terms of {provider.display_name}
        </Anchor>
        .
      </Text>
      <ProblemAlert error={state.error} />
      <Button onClick={begin} loading={state.isRunning === true}>
        Link {provider.display_name}
      </Button>
    </Stack>
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
export function LinkOutcome({ projectId }: { readonly projectId: string }) {
  const { values } = useFilters("link_id");
  const { data: link } = hooks.useQuery(
    "get",
    "/projects/{project_id}/links/{link_id}",
    { params: { path: { project_id: projectId, link_id: values.link_id ?? "" } } },
    { enabled: values.link_id !== undefined },
  );
  if (link === undefined || values.link_id === undefined || link.status === "pending_auth") return null;
  if (link.status === "linked") {
    return (
      <Alert color="teal" role="status" title={`${link.provider} is linked`}>
        {link.account_label !== null && `The account is ${link.account_label}.`}
      </Alert>
    );
  }
  return (
    <Alert color="red" role="status" title={`${link.provider} is not linked`}>
      {adviceFor(link)}
    </Alert>
  );
}
