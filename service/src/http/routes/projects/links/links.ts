import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError, invalidField } from "../../../../foundation/errors.ts";
import type { LinkId } from "../../../../foundation/ids.ts";
import { isLoopbackAddress } from "../../../../foundation/networks.ts";
import type { Settings } from "../../../../foundation/settings.ts";
import { Flag, OneOf, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { SHORT_LEASE_MS } from "../../../../idempotency/claim.ts";
import { catalogOf } from "../../../../modules/catalog/catalog.ts";
import { LinkResource, presentLink } from "../../../../modules/links/link-resource.ts";
import { type LinkClient, revokeLink } from "../../../../modules/links/links.ts";
import { getLink, listLinks } from "../../../../modules/links/read-links.ts";
import type { FinishedLink } from "../../../../modules/links/receive-oauth-callback.ts";
import { linkProvider } from "../../../../modules/links/start-link.ts";
import { clientNetworkOf } from "../../../auth/client-network.ts";
import { actorOf, type Principal, principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { replyByReference } from "../../../idempotency.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint, type Route } from "../../../route.ts";
import { AcceptedTerms } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

/** Returns the client that completes a link, for the audit entry. */
export function linkClientOf(request: FastifyRequest): LinkClient {
  return { network: clientNetworkOf(request.ip), requestId: request.id };
}

/**
 * Returns the URL to redirect the browser to, including `link_id` and `status`. Returns null if the browser must get
 * the completed-link page instead.
 */
export function returnAddressOf({ link, returnTo }: FinishedLink): string | null {
  if (returnTo === null) return null;
  const address = new URL(returnTo);
  address.searchParams.set("link_id", link.linkId);
  address.searchParams.set("status", link.status);
  return address.href;
}

const LinkScope = Text(
  "An OAuth scope: 1 to 100 printable ASCII characters without spaces, double quotes and backslashes.",
  { pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$" },
);

const linkProviderRequest = (app: App) =>
  StrictObject("LinkProviderRequest", {
    provider: OneOf([...app.providers.keys()].sort(), "A provider id from the catalog."),
    mode: Type.Optional(
      OneOf(
        ["auto", "existing_account", "new_account"],
        "The kind of provider account to link. `new_account` is only valid for providers whose `auth` in the catalog is `instant`. Such a provider decides itself whether it creates an account. Default: `auto`.",
      ),
    ),
    scopes: Type.Optional(
      Type.Array(LinkScope, {
        maxItems: 50,
        uniqueItems: true,
        description:
          "OAuth scopes to store with the link. They are not sent to the provider: the scopes that are granted depend on the provider's OAuth app.",
      }),
    ),
    region: Type.Optional(
      Text(
        "A region from the provider's `regions` in the catalog. The value is checked but has no effect in this API version.",
        { maxLength: 64 },
      ),
    ),
    redirect_uri: Type.Optional(
      Text(
        "URL that the browser is redirected to when linking succeeds or fails, with the query parameters `link_id` and `status`. Must be on this server, or use `http` with a loopback host. Default: a page on this server.",
        { maxLength: 2048 },
      ),
    ),
    accept_terms_version: AcceptedTerms,
    force: Type.Optional(
      Flag(
        "Whether to start a new link even if the provider is already linked. The existing link stays usable until the new one is completed. Default: false.",
      ),
    ),
  });

export const linkProviderRoute: Route = (server, app, tag) =>
  endpoint("POST /api/v1/svc/projects/:project_id/link", {
    operationId: "linkProvider",
    sdk: "projects.links.begin",
    summary: "Link a provider",
    description:
      "Starts a link between the project and the developer's account at a provider. A user must complete the link at `url` within ten minutes. `url` is the provider's consent page, or a form in which the user enters an API token for the provider. If the provider's `auth` in the catalog is `instant`, the provider is asked for an account with the developer's email address, and the link usually has the status `linked` at once; if the developer already has an account there, a user gives consent at `url`. Earlier pending links of the project to this provider expire. If the provider is already linked, the existing link is returned unchanged unless `force` is true. Fails with `conflict` if the project's status does not allow new links.",
    auth: "tenant",
    scope: "projects:write",
    replayGuard: "always",
    body: linkProviderRequest(app),
    answers: { 200: LinkResource },
    errors: ["conflict"],
    example: { provider: "neon" },
    run: async (app, request, reply) => {
      const actor = actorOf(request);
      const key = projectKeyOf(request, request.params.project_id);
      const command = { actor, key, ...commandOf(app, request.body) };
      const resolve = async ({ linkId }: { readonly linkId: LinkId }) => {
        const link = await getLink(app, { key, linkId, canComplete: true });
        return { kind: "response" as const, body: presentLink(link, app.clock.now()) };
      };
      // The response contains the link's secret URL, so it is not stored. A repeated call reads the link again.
      const options = { status: 200, resolve, leaseMs: SHORT_LEASE_MS } as const;
      return replyByReference(app, request, reply, options, (saveResponse) => linkProvider(app, command, saveResponse));
    },
  })(server, app, tag);

function commandOf(app: App, body: Static<ReturnType<typeof linkProviderRequest>>) {
  const entry = catalogOf(app).find(({ provider }) => provider === body.provider);
  if (entry === undefined) {
    throw new AppError("provider_unavailable", {
      detail: `The services of ${body.provider} are not known yet. Repeat the call later.`,
    });
  }
  if (body.mode === "new_account" && entry.auth !== "instant") {
    throw invalidField("/body/mode", "unsupported", "is not supported: this provider does not create accounts");
  }
  if (body.region !== undefined && !entry.regions.includes(body.region)) {
    throw invalidField("/body/region", "unknown", `must be one of ${entry.regions.join(", ")}`);
  }
  return {
    provider: body.provider,
    scopes: body.scopes ?? [],
    returnTo: body.redirect_uri === undefined ? null : parseRedirectUri(body.redirect_uri, app.settings),
    acceptedTermsVersion: body.accept_terms_version,
    force: body.force ?? false,
  };
}

/**
 * Returns the normalized URL. Throws for URLs of other sites. A redirect to such a URL would make Purser an open
 * redirector.
 */
function parseRedirectUri(text: string, { publicUrl }: Settings): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A `blob:` URL has the origin of the URL inside it but no host, so the host is checked too.
  const isOwn = url?.host !== "" && url?.origin === new URL(publicUrl).origin;
  const isAllowed = url !== undefined && (isOwn || isLoopback(url)) && hasNoCredentialsOrFragment(url);
  if (isAllowed) return url.href;
  throw invalidField(
    "/body/redirect_uri",
    "not_allowed",
    "must be a URL on this server, or an http URL with a loopback host, without credentials and without a fragment",
  );
}

/**
 * Returns true for an http loopback URL, which belongs to a program on the user's own machine (RFC 8252, section 7.3).
 */
function isLoopback({ protocol, hostname }: URL): boolean {
  if (protocol !== "http:") return false;
  if (hostname === "localhost") return true;
  return isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

function hasNoCredentialsOrFragment({ username, password, hash }: URL): boolean {
  return username === "" && password === "" && hash === "";
}

const getLinkRoute = endpoint("GET /api/v1/svc/projects/:project_id/links/:link_id", {
  operationId: "getLink",
  sdk: "projects.links.get",
  summary: "Get a link",
  description:
    "Returns a link. While the link is pending, `url` and `state` are included for callers that can link providers: a dashboard session, or a key that has the scope `projects:write` and is not bound to agents.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: LinkResource },
  run: async (app, request) => {
    const { project_id, link_id } = request.params;
    const link = await getLink(app, {
      key: projectKeyOf(request, project_id),
      linkId: pathId("lnk", link_id),
      canComplete: canLink(principalOf(request)),
    });
    return presentLink(link, app.clock.now());
  },
});

/** Returns true if the caller can link providers. Only such callers get the `url` and `state` of a pending link. */
function canLink(principal: Principal): boolean {
  if (principal.kind === "session") return true;
  return principal.scopes.includes("projects:write") && principal.agentIds.length === 0;
}

const listLinksRoute = endpoint("GET /api/v1/svc/projects/:project_id/links", {
  operationId: "listLinks",
  sdk: "projects.links.list",
  summary: "List links",
  description:
    "Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(LinkResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "lnk");
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listLinks(app, { key, after, limit });
    const now = app.clock.now();
    return presentPage(page, (link) => presentLink({ link, completion: null }, now), "linkId");
  },
});

const revokeLinkRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/links/:link_id", {
  operationId: "revokeLink",
  sdk: "projects.links.revoke",
  summary: "Revoke a link",
  description:
    "Revokes a completed or pending link and deletes its tokens. Tokens that the provider issued to Purser are also revoked at the provider, unless another link uses the account. A failed, expired or revoked link is returned unchanged. Fails with `link_in_use` while services use the link.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "strict",
  answers: { 200: LinkResource },
  errors: ["link_in_use"],
  run: async (app, request) => {
    const { project_id, link_id } = request.params;
    const link = await revokeLink(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, project_id),
      linkId: pathId("lnk", link_id),
    });
    return presentLink({ link, completion: null }, app.clock.now());
  },
});

export const linkRoutes: readonly Route[] = [listLinksRoute, getLinkRoute, revokeLinkRoute];
