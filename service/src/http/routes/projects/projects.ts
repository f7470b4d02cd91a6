import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { invalidField } from "../../../foundation/errors.ts";
import type { ProjectId } from "../../../foundation/ids.ts";
import { agentIdsOf } from "../../../foundation/wire/agent-ids.ts";
import { Clearable, Count, NamedObject, StrictObject } from "../../../foundation/wire/fields.ts";
import { getProjectStatus } from "../../../modules/charges/get-project-status.ts";
import { ProjectStatusResource, presentProjectStatus } from "../../../modules/charges/project-status-resource.ts";
import { CapBehaviorName, ProjectResource, presentProject } from "../../../modules/projects/project-resource.ts";
import { createProject, getProject, listProjects } from "../../../modules/projects/projects.ts";
import {
  deleteProject,
  ProjectDeletionPreviewResource,
  ProjectDeletionResource,
  presentProjectDeletion,
  presentProjectDeletionPreview,
} from "../../../workflows/delete-project/delete-project.ts";
import { previewDeletion } from "../../../workflows/delete-project/request-deletion.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { Cursor, decodePosition, NextCursor, positionName, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint, type Route } from "../../route.ts";
import {
  capsInCents,
  centsOf,
  EnvironmentNames,
  MonthlyCap,
  NewMetadata,
  PolicyId,
  ProjectAgentIds,
  ProjectDescription,
  ProjectName,
  providerCaps,
} from "./project-fields.ts";
import { projectKeyOf } from "./project-key.ts";

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
    agent_ids: Type.Optional(ProjectAgentIds),
    policy_id: Type.Optional(PolicyId),
    metadata: Type.Optional(NewMetadata),
  });

const createProjectRoute: Route = (server, app, tag) =>
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

const getProjectRoute = endpoint("GET /api/v1/svc/projects/:project_id", {
  operationId: "getProject",
  sdk: "projects.get",
  summary: "Get a project",
  description: "Returns the project with its usage in the current month.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: ProjectResource },
  run: async (app, request) => presentProject(await getProject(app, projectKeyOf(request, request.params.project_id))),
});

const getProjectStatusRoute = endpoint("GET /api/v1/svc/projects/:project_id/status", {
  operationId: "getProjectStatus",
  sdk: "projects.status",
  summary: "Get the status of a project",
  description:
    "Returns the project's spending in the current month, its newest charges, its services and links, and the actions that a user must take.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: ProjectStatusResource },
  run: async (app, request) =>
    presentProjectStatus(await getProjectStatus(app, projectKeyOf(request, request.params.project_id))),
});

const PAGE_MAX = 1_000_000_000;
const PER_PAGE_DEFAULT = 20;
const PROJECT_ID_FORM = /^proj_[0-9a-z]{1,60}$/;

const listProjectsRoute = endpoint("GET /api/v1/svc/projects", {
  operationId: "listProjects",
  sdk: "projects.list",
  summary: "List projects",
  description:
    "Returns the projects in the caller's mode, newest first. Deleted projects are not included. A key bound to agents or projects gets only the projects that it can access.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: Type.Object(
    {
      cursor: Type.Optional(Cursor),
      page: Type.Optional(
        Count(
          "Page number, 1 by default. Projects that are created or deleted between two calls move the pages; `cursor` misses none. Not together with `cursor`.",
          { minimum: 1, maximum: PAGE_MAX },
        ),
      ),
      per_page: Type.Optional(Count("Number of projects per page. Default: 20.", { minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  answers: {
    200: NamedObject("ProjectList", {
      object: Type.Literal("list"),
      data: Type.Array(ProjectResource),
      page: Type.Optional(Count("Absent if the call has `cursor`.")),
      per_page: Type.Integer(),
      has_more: Type.Boolean(),
      next_cursor: NextCursor,
    }),
  },
  run: async (app, request) => {
    const { cursor, page, per_page: perPage = PER_PAGE_DEFAULT } = request.query;
    if (cursor !== undefined && page !== undefined) {
      throw invalidField("/query/page", "conflict", "must be absent if `cursor` is given");
    }
    const after = decodePosition(cursor, PROJECT_ID_FORM);
    const list = await listProjects(app, {
      scope: scopeOf(request),
      after: after && { createdAt: after.at, projectId: after.id as ProjectId },
      page: page ?? 1,
      perPage,
    });
    return {
      ...presentPage(list, presentProject, ({ createdAt, projectId }) => positionName(createdAt, projectId)),
      ...(cursor === undefined && { page: page ?? 1 }),
      per_page: perPage,
    };
  },
});

const deleteProjectRoute = endpoint("DELETE /api/v1/svc/projects/:project_id", {
  operationId: "deleteProject",
  sdk: "projects.delete",
  summary: "Delete a project",
  description:
    "Deletes a project: removes all services, revokes the provider links, deletes the variables, and deletes the project's customer at the payment processor. `POST /projects/{project_id}/delete-preview` shows in advance what happens to each service's resource at its provider. Waits up to 20 seconds for the deletion to finish. If `status` is then `deleting`, repeat the request to check the progress. Fails with 404 `project_not_found` once the project is deleted.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "strict",
  answers: { 200: ProjectDeletionResource },
  errors: ["project_not_found"],
  run: async (app, request) => {
    const report = await deleteProject(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, request.params.project_id),
    });
    return presentProjectDeletion(report);
  },
});

const previewProjectDeletionRoute = endpoint("POST /api/v1/svc/projects/:project_id/delete-preview", {
  operationId: "previewProjectDeletion",
  sdk: "projects.deletePreview",
  summary: "Preview the deletion of a project",
  description:
    "Returns what `DELETE /projects/{project_id}` would do to each service and to the variables, and what will still be billed. Changes nothing.",
  auth: "tenant",
  scope: "projects:read",
  replayGuard: "strict",
  answers: { 200: ProjectDeletionPreviewResource },
  run: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    return presentProjectDeletionPreview(await previewDeletion(app, key));
  },
});

export const projectRoutes: readonly Route[] = [
  listProjectsRoute,
  createProjectRoute,
  getProjectRoute,
  deleteProjectRoute,
  getProjectStatusRoute,
  previewProjectDeletionRoute,
];
