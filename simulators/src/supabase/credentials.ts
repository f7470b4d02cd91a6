import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { authenticate } from "./accounts.ts";
import {
  NoQuery,
  newKey,
  type Project,
  type ProjectKey,
  type StoredProject,
  whenActive,
  withProject,
} from "./projects.ts";
import { supabaseError, supabaseErrors } from "./supabase-errors.ts";

const KeysQuery = Type.Object({ reveal: Type.Optional(Type.Boolean()) }, { additionalProperties: false });

const DeleteKeyQuery = Type.Object({ reason: Type.Optional(Type.String()) }, { additionalProperties: false });
const NewKeyBody = Type.Object(
  {
    type: Type.Enum(["publishable", "secret"]),
    name: Type.String({ minLength: 4, maxLength: 64, pattern: "^[a-z_][a-z0-9_]+$" }),
  },
  { additionalProperties: false },
);
const PasswordBody = Type.Object({ password: Type.String({ minLength: 4 }) }, { additionalProperties: false });

/** Routes for a project's API keys and the password of its database. */
export const credentialRoutes: readonly VendorRoute[] = [
  {
    operation: "v1-get-project-api-keys",
    method: "GET",
    url: "/v1/projects/:ref/api-keys",
    query: KeysQuery,
    auth: authenticate,
    handle: withProject(whenActive(listKeys)),
  },
  {
    operation: "v1-create-project-api-key",
    method: "POST",
    url: "/v1/projects/:ref/api-keys",
    body: NewKeyBody,
    query: KeysQuery,
    auth: authenticate,
    handle: withProject(whenActive(createKey)),
  },
  {
    operation: "v1-delete-project-api-key",
    method: "DELETE",
    url: "/v1/projects/:ref/api-keys/:id",
    query: DeleteKeyQuery,
    auth: authenticate,
    handle: withProject(whenActive(deleteKey)),
  },
  {
    operation: "v1-update-database-password",
    method: "PATCH",
    url: "/v1/projects/:ref/database/password",
    body: PasswordBody,
    query: NoQuery,
    auth: authenticate,
    handle: withProject(whenActive(changePassword)),
  },
];

async function listKeys({ data }: StoredProject, { query }: VendorRequest): Promise<VendorResponse> {
  const { reveal } = query as Static<typeof KeysQuery>;
  return { status: 200, body: data.secret.keys.map((key) => presentKey(key, reveal)) };
}

function presentKey({ id, name, type, value }: ProjectKey, reveal = false): object {
  const isShown = reveal || type === "publishable";
  return { id, name, type, api_key: isShown ? value : `${value.slice(0, 15)}${"·".repeat(16)}` };
}

async function createKey(
  project: StoredProject,
  { body, query }: VendorRequest,
  context: VendorContext,
): Promise<VendorResponse> {
  const { type, name } = body as Static<typeof NewKeyBody>;
  const { reveal } = query as Static<typeof KeysQuery>;
  const { keys } = project.data.secret;
  if (keys.some((key) => key.type === type && key.name === name)) {
    return supabaseError(400, "An API key with this name already exists");
  }
  const key = newKey(type, name);
  await changeSecret(project, context, { keys: [...keys, key] });
  return { status: 201, body: presentKey(key, reveal) };
}

async function deleteKey(
  project: StoredProject,
  { params }: VendorRequest,
  context: VendorContext,
): Promise<VendorResponse> {
  const { keys } = project.data.secret;
  const deleted = keys.find(({ id }) => id === params["id"]);
  if (deleted === undefined) return supabaseErrors.notFound();
  await changeSecret(project, context, { keys: keys.filter((key) => key !== deleted) });
  return { status: 200, body: presentKey(deleted) };
}

async function changePassword(
  project: StoredProject,
  { body }: VendorRequest,
  context: VendorContext,
): Promise<VendorResponse> {
  const { password } = body as Static<typeof PasswordBody>;
  await changeSecret(project, context, { databasePassword: password });
  return { status: 200, body: { message: "Successfully updated password" } };
}

async function changeSecret(
  { id, data }: StoredProject,
  { objects }: VendorContext,
  change: Partial<Project["secret"]>,
): Promise<void> {
  await objects.update("project", id, { data: { ...data, secret: { ...data.secret, ...change } } });
}
