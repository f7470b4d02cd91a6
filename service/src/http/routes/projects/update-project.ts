import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { agentIdsOf } from "../../../foundation/wire/agent-ids.ts";
import { Clearable } from "../../../foundation/wire/fields.ts";
import { CapBehaviorName, ProjectResource, presentProject } from "../../../modules/projects/project-resource.ts";
import { type ProjectChange, updateProject } from "../../../modules/projects/update-project.ts";
import { actorOf, mayDecideApprovals, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint, type Route } from "../../route.ts";
import { MetadataChange } from "../metadata-fields.ts";
import {
  capChangesInCents,
  centsOf,
  MonthlyCap,
  PolicyId,
  ProjectAgentIds,
  ProjectDescription,
  ProjectName,
  providerCapsPatch,
} from "./project-fields.ts";
import { projectKeyOf } from "./project-key.ts";

const projectUpdateRequest = (app: App) =>
  Type.Object(
    {
      name: Type.Optional(ProjectName),
      description: Type.Optional(Clearable(ProjectDescription)),
      monthly_cap: Type.Optional(MonthlyCap),
      cap_behavior: Type.Optional(CapBehaviorName),
      provider_caps: Type.Optional(Clearable(providerCapsPatch(app))),
      agent_ids: Type.Optional(Clearable(ProjectAgentIds)),
      policy_id: Type.Optional(PolicyId),
      status: Type.Optional(
        Type.Literal("active", {
          description: "Lifts the suspension of a project that a kill switch suspended. Requires a dashboard session.",
        }),
      ),
      metadata: MetadataChange,
    },
    {
      $id: "ProjectUpdateRequest",
      additionalProperties: false,
      description:
        "Absent fields are unchanged, and `null` clears a nullable field. `provider_caps` and `metadata` are merged with their current values.",
    },
  );

export const updateProjectRoute: Route = (server, app, tag) =>
  endpoint("PATCH /api/v1/svc/projects/:project_id", {
    operationId: "updateProject",
    sdk: "projects.update",
    summary: "Update a project",
    description:
      "Updates a project. Absent fields are unchanged, and `null` clears a nullable field. `provider_caps` and `metadata` are merged with their current values. The cap can be lower than this month's spending; further charges are then rejected. Fails with `already_exists` if another project has the name, and with `conflict` if its status does not allow the change: the agents of a suspended project cannot be changed.",
    auth: "tenant",
    scope: "projects:write",
    replayGuard: "always",
    body: projectUpdateRequest(app),
    answers: { 200: ProjectResource },
    errors: ["already_exists", "conflict"],
    example: { monthly_cap: "250.00" },
    run: async (app, request, reply) => {
      const principal = principalOf(request);
      const change = changeOf(request.body);
      if (change.status !== undefined && principal.kind !== "session") {
        const detail = "Only a dashboard session can lift the suspension of a project.";
        throw new AppError("insufficient_scope", { detail });
      }
      const actor = actorOf(request);
      return replyOnce(app, request, reply, { status: 200, present: presentProject }, async (saveResponse) => {
        const key = projectKeyOf(request, request.params.project_id);
        const mayDecide = mayDecideApprovals(principal);
        return updateProject(app, { actor, key, change, mayDecide }, saveResponse);
      });
    },
  })(server, app, tag);

function changeOf(body: Static<ReturnType<typeof projectUpdateRequest>>): ProjectChange {
  const { monthly_cap: cap, provider_caps: caps, agent_ids: agentIds } = body;
  return {
    name: body.name,
    description: body.description,
    monthlyCapCents: cap === undefined ? undefined : centsOf("/body/monthly_cap", cap),
    capBehavior: body.cap_behavior,
    providerCaps: caps && capChangesInCents(caps),
    agentIds: agentIds && agentIdsOf(agentIds),
    policyId: body.policy_id,
    metadata: body.metadata,
    status: body.status,
  };
}
