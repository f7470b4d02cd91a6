import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import type { LinkId } from "../../../../foundation/ids.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import { isLoopbackAddress } from "../../../../foundation/networks.ts";
import type { Settings } from "../../../../foundation/settings.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  beginLink,
  catalogOf,
  getLink,
  LinkResource,
  presentLink,
} from "../../../../modules/projects/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyByReference } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const LinkScope = Type.String({
  pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$",
  description:
    "A scope of OAuth: 1 to 100 printable ASCII characters without spaces, quotes and backslashes.",
});

const linkProviderRequest = (app: App) =>
  Type.Object(
    {
      provider: Type.Enum(catalogOf(app).providers.map(({ provider }) => provider)),
      mode: Type.Optional(
        Type.Enum(["auto", "existing_account", "new_account"], {
          default: "auto",
          description: "`new_account` only where the provider makes accounts at once.",
        }),
      ),
      scopes: Type.Optional(
        Type.Array(LinkScope, {
          maxItems: 50,
          uniqueItems: true,
          description: "Noted on the link. What a provider grants is settled by the app it knows.",
        }),
      ),
      region: Type.Optional(
        Type.String({ maxLength: 64, description: "One of the provider's in the catalog." }),
      ),
      redirect_uri: Type.Optional(
        Type.String({
          maxLength: 2048,
          description:
            "Where a browser is sent once the link is complete, with `link_id` and `status`: an address of this service, or http on loopback.",
        }),
      ),
      accept_terms_version: Type.Optional(Type.String({ maxLength: 64 })),
      force: Type.Optional(
        Type.Boolean({ default: false, description: "Begins anew where it is linked already." }),
      ),
    },
    { $id: "LinkProviderRequest", additionalProperties: false },
  );

export function linkProviderRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/projects/:project_id/link",
    config: { auth: "tenant", scope: "projects:write" },
    schema: {
      operationId: "linkProvider",
      tags: ["Projects"],
      summary: "Begin to link a provider's account",
      description:
        "Somebody has to open `url` within ten minutes: the provider's consent page, or a form that a token is pasted into. One that was begun before can no longer be completed.",
      params: Type.Object({ project_id: Type.String() }),
      body: linkProviderRequest(app),
      response: { 200: LinkResource, 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const actor = actorOf(request, principalOf(request));
      const key = projectKeyOf(request, request.params.project_id);
      const command = { actor, key, ...commandOf(app, request.body) };
      const resolve = async ({ linkId }: { readonly linkId: LinkId }) => {
        const shown = await getLink(app, { key, linkId, mayOpen: true });
        return { kind: "answer" as const, body: presentLink(shown, app.clock.now()) };
      };
      // The answer contains the URL that opens the link, so it is not stored. A repeated call reads the link again.
      return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
        beginLink(app, command, saveResponse),
      );
    },
  });
}

function commandOf(app: App, body: Static<ReturnType<typeof linkProviderRequest>>) {
  const entry = catalogOf(app).providers.find(({ provider }) => provider === body.provider);
  invariant(entry !== undefined, "the schema takes providers of the catalog only");
  if (body.mode === "new_account" && entry.auth !== "instant") {
    throw invalidField("/body/mode", "unsupported", "this provider makes no accounts at once");
  }
  if (body.region !== undefined && !entry.regions.includes(body.region)) {
    throw invalidField("/body/region", "unknown", `must be one of ${entry.regions.join(", ")}`);
  }
  return {
    provider: body.provider,
    scopes: body.scopes ?? [],
    returnTo: body.redirect_uri === undefined ? null : allowed(body.redirect_uri, app.settings),
    acceptedTermsVersion: body.accept_terms_version,
    force: body.force ?? false,
  };
}

/** The address as it is kept. Any other than these would make this service a way to send people anywhere. */
function allowed(text: string, { publicUrl }: Settings): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A `blob:` address has the origin of the one inside it, but no host.
  const isOurs = url?.host !== "" && url?.origin === new URL(publicUrl).origin;
  const isAllowed = url !== undefined && (isOurs || isLoopback(url)) && hasNoExtras(url);
  if (isAllowed) return url.href;
  throw invalidField(
    "/body/redirect_uri",
    "not_allowed",
    "must be an address of this service, or http on loopback",
  );
}

/** Where a program on the person's own machine listens (RFC 8252, 7.3). */
function isLoopback({ protocol, hostname }: URL): boolean {
  if (protocol !== "http:") return false;
  if (hostname === "localhost") return true;
  return isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

function hasNoExtras({ username, password, hash }: URL): boolean {
  return username === "" && password === "" && hash === "";
}
