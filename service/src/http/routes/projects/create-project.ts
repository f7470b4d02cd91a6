import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { agentIdsOf } from "../../../foundation/wire/agent-ids.ts";
import { Clearable } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { createProject } from "../../../modules/projects/create-project.ts";
import { CapBehaviorName, ProjectResource, presentProject } from "../../../modules/projects/project-resource.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint, type Route } from "../../route.ts";
import {
  AgentIds,
  capsInCents,
  centsOf,
  EnvironmentNames,
  MonthlyCap,
  NewMetadata,
  PolicyId,
  ProjectDescription,
  ProjectName,
  providerCaps,
} from "./project-fields.ts";

const MONTHLY_CAP_DEFAULT = "100.00";
const ENVIRONMENTS_DEFAULT = ["development", "production"];

const projectCreateRequest = (app: App) =>
  StrictObject("ProjectCreateRequest", {
    name: ProjectName,
    description: Type.Optional(Clearable(ProjectDescription)),
    monthly_cap: Type.Optional({
      ...MonthlyCap,
      description: `${MonthlyCap.description} Default: ${MONTHLY_CAP_DEFAULT}.`,
    }),
    currency: Type.Optional(Type.Enum(["usd"])),
    cap_behavior: Type.Optional(CapBehaviorName),
    provider_caps: Type.Optional(providerCaps(app)),
    environments: Type.Optional(
      EnvironmentNames({
        description:
          "Names of the project's environments. They cannot be changed later. Default: `development` and `production`.",
      }),
    ),
    agent_ids: Type.Optional(AgentIds),
    policy_id: Type.Optional(PolicyId),
    metadata: Type.Optional(NewMetadata),
  });

export const createProjectRoute: Route = (server, app, tag) =>
  endpoint("POST /api/v1/svc/projects", {
    operationId: "createProject",
    sdk: "projects.create",
    summary: "Create a project",
    description:
      "Creates a project in the caller's mode. A project contains services and variables and has a monthly cap. Keys bound to agents or projects cannot create projects. Fails with `already_exists` if a project with this name exists, and with `conflict` if the account has reached its maximum number of projects.",
    auth: "tenant",
    scope: "projects:write",
    replayGuard: "strict",
    body: projectCreateRequest(app),
    answers: { 201: ProjectResource },
    errors: ["already_exists", "conflict"],
    example: { name: "My App" },
    run: async (app, request, reply) => {
      const command = commandOf(actorOf(request), request.body);
      return replyOnce(app, request, reply, { status: 201, present: presentProject }, (saveResponse) =>
        createProject(app, command, saveResponse),
      );
    },
  })(server, app, tag);

function commandOf(actor: Actor, body: Static<ReturnType<typeof projectCreateRequest>>) {
  return {
    actor,
    name: body.name,
    description: body.description ?? null,
    monthlyCapCents: centsOf("/body/monthly_cap", body.monthly_cap ?? MONTHLY_CAP_DEFAULT),
    capBehavior: body.cap_behavior ?? "block",
    providerCaps: capsInCents(body.provider_caps ?? {}),
    environments: body.environments ?? ENVIRONMENTS_DEFAULT,
    agentIds: agentIdsOf(body.agent_ids ?? []),
    policyId: body.policy_id ?? null,
    metadata: body.metadata ?? {},
  } as const;
}
