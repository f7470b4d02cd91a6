import { databaseTarget, localName, type NeonOperation, type NeonProject, type ProjectData } from "./neon-projects.ts";

/**
 * The response to the request that creates a project (`created`) contains unfinished operations. In every later
 * response (`later`), these operations are finished.
 */
type Stage = "created" | "later";

const BRANCH_LIMIT_MIB = 512;
const HISTORY_SECONDS = 86_400;

/** Returns a project in the format of `listProjects`. */
export function presentListedProject({ id, data, createdAt }: NeonProject, proxyHost: string) {
  return {
    id,
    platform_id: "aws",
    region_id: data.regionId,
    name: data.name,
    provisioner: "k8s-neonvm",
    pg_version: data.pgVersion,
    proxy_host: proxyHost,
    branch_logical_size_limit: BRANCH_LIMIT_MIB,
    branch_logical_size_limit_bytes: BRANCH_LIMIT_MIB * 1_048_576,
    store_passwords: true,
    active_time: 0,
    cpu_used_sec: 0,
    creation_source: "console",
    created_at: createdAt.toISOString(),
    updated_at: createdAt.toISOString(),
    owner_id: data.ownerId,
    ...(data.ownerId.startsWith("org-") ? { org_id: data.ownerId } : {}),
  };
}

/** Returns a project in the format of `getProject`. */
export function presentProject(project: NeonProject, proxyHost: string) {
  const { active_time, ...listed } = presentListedProject(project, proxyHost);
  return {
    ...listed,
    active_time_seconds: active_time,
    compute_time_seconds: 0,
    data_storage_bytes_hour: 0,
    data_transfer_bytes: 0,
    written_data_bytes: 0,
    history_retention_seconds: HISTORY_SECONDS,
    consumption_period_start: listed.created_at,
    consumption_period_end: listed.created_at,
    ...project.data.settings,
  };
}

export function presentOperation(
  { id, data, createdAt }: NeonProject,
  { pending, ...operation }: NeonOperation,
  stage: Stage = "later",
) {
  const status = pending === undefined ? "finished" : "running";
  return {
    ...operation,
    project_id: id,
    branch_id: branchId(id),
    status: stage === "created" ? firstStatus(data, operation.id) : status,
    failures_count: 0,
    created_at: createdAt.toISOString(),
    updated_at: createdAt.toISOString(),
    total_duration_ms: stage === "created" ? 0 : 50,
  };
}

/**
 * Returns an operation's status when the project has just been created. Operations run one after another, so only the
 * first one is running.
 */
function firstStatus({ operations }: ProjectData, operationId: string) {
  return operations[0]?.id === operationId ? "running" : "scheduling";
}

/**
 * Returns the database's URL. Clients that request the pooled URL get the same URL, because the simulator has no
 * pooler.
 */
export function connectionUri(
  project: NeonProject,
  adminUrl: string,
  login = { name: project.data.roleName, password: project.data.secret.password },
): string {
  const { database } = databaseTarget(project);
  const { host } = new URL(adminUrl);
  const role = localName(project, login.name);
  const user = `${encodeURIComponent(role)}:${encodeURIComponent(login.password)}`;
  return `postgresql://${user}@${host}/${encodeURIComponent(database)}`;
}

/** Returns a new project with everything that Neon creates for it: branch, compute endpoint, role and database. */
export function presentCreatedProject(project: NeonProject, adminUrl: string) {
  const { id, data, createdAt } = project;
  const { hostname } = new URL(adminUrl);
  const { role, database } = databaseTarget(project);
  const times = { created_at: createdAt.toISOString(), updated_at: createdAt.toISOString() };
  const branch_id = branchId(id);
  const { password } = data.secret;
  const connection_parameters = { database, password, role, host: hostname, pooler_host: hostname };
  return {
    project: presentProject(project, hostname),
    connection_uris: [{ connection_uri: connectionUri(project, adminUrl), connection_parameters }],
    roles: [{ branch_id, name: data.roleName, password, protected: false, ...times }],
    databases: [{ id: 1, branch_id, name: data.databaseName, owner_name: data.roleName, ...times }],
    operations: data.operations.map((operation) => presentOperation(project, operation, "created")),
    branch: presentBranch(project, "created"),
    endpoints: [
      {
        host: hostname,
        id: `ep-${id}`,
        project_id: id,
        branch_id,
        autoscaling_limit_min_cu: 0.25,
        autoscaling_limit_max_cu: 2,
        region_id: data.regionId,
        type: "read_write",
        current_state: "init",
        pending_state: "active",
        settings: {},
        pooler_enabled: false,
        pooler_mode: "transaction",
        disabled: false,
        passwordless_access: true,
        creation_source: "console",
        proxy_host: hostname,
        suspend_timeout_seconds: 0,
        provisioner: "k8s-neonvm",
        ...times,
      },
    ],
  };
}

/** Returns the project's only branch. */
export function presentBranch({ id, createdAt }: NeonProject, stage: Stage = "later") {
  const time = createdAt.toISOString();
  return {
    id: branchId(id),
    project_id: id,
    name: "main",
    ...(stage === "created" ? { current_state: "init", pending_state: "ready" } : { current_state: "ready" }),
    state_changed_at: time,
    creation_source: "console",
    default: true,
    protected: false,
    cpu_used_sec: 0,
    active_time_seconds: 0,
    compute_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: time,
    updated_at: time,
  };
}

function branchId(projectId: string): string {
  return `br-${projectId}`;
}
