import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import type { PostgresTarget } from "./neon-postgres.ts";

export const PROJECT = "project";

/** The Neon regions in Purser's catalog. */
export const REGIONS = [
  "aws-us-east-1",
  "aws-us-east-2",
  "aws-us-west-2",
  "aws-eu-central-1",
  "aws-eu-west-2",
  "aws-ap-southeast-1",
  "aws-ap-southeast-2",
  "aws-sa-east-1",
] as const;

const WORDS = ["autumn", "bold", "calm", "damp", "gentle", "quiet", "shiny", "wispy"] as const;
const PLACES = ["bird", "boat", "field", "hill", "lake", "meadow", "moon", "wind"] as const;
/**
 * Longer database and role names are shortened to this length before the project ID is appended, because Postgres
 * limits the whole name to 63 bytes.
 */
const NAME_PART_LENGTH_MAX = 36;

/** An operation of a project. */
export interface NeonOperation {
  readonly id: string;
  readonly action: string;
  /** The change to the database that a running operation makes when it ends. Undefined if the operation has ended. */
  readonly pending?: {
    /** The role whose password changes. */
    readonly role: string;
    /** How often the operation can still be read before it ends. */
    readonly readsLeft: number;
  };
}

/** The stored data of a project. */
export interface ProjectData {
  /** The ID of the organization or user that owns the project. */
  readonly ownerId: string;
  readonly name: string;
  readonly regionId: string;
  readonly pgVersion: number;
  /** The requested names. In the local Postgres, the project ID is appended to them. */
  readonly databaseName: string;
  readonly roleName: string;
  readonly operations: readonly NeonOperation[];
  /** The settings that were changed, in the format of `getProject`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret: {
    readonly password: string;
    /** The passwords of further roles, by their names. */
    readonly passwords?: Readonly<Record<string, string>>;
  };
}

export type NeonProject = StoredObject<ProjectData>;

/** Returns a new project ID in Neon's format, for example `shiny-wind-02883412`. */
export function newProjectId(): string {
  const digits = String(randomInt(100_000_000)).padStart(8, "0");
  return `${WORDS[randomInt(WORDS.length)]}-${PLACES[randomInt(PLACES.length)]}-${digits}`;
}

export function newPassword(): string {
  return `npg_${randomBytes(18).toString("base64url")}`;
}

export function newOperations(): ProjectData["operations"] {
  return ["create_timeline", "start_compute"].map((action) => ({ id: randomUUID(), action }));
}

/**
 * Returns the role and database names in the local Postgres. They contain the project ID, because all projects share
 * one server.
 */
export function databaseTarget(project: Pick<NeonProject, "id" | "data">): PostgresTarget {
  const { roleName, databaseName } = project.data;
  return { role: localName(project, roleName), database: localName(project, databaseName) };
}

/** Returns the name in the local Postgres of a project's role or database. */
export function localName({ id }: Pick<NeonProject, "id">, name: string): string {
  return `${name.slice(0, NAME_PART_LENGTH_MAX)}_${id.replaceAll("-", "_")}`;
}

/** Returns the password of one of the project's roles, or undefined if there is no such role. */
export function passwordOf({ data }: NeonProject, roleName: string): string | undefined {
  return roleName === data.roleName ? data.secret.password : data.secret.passwords?.[roleName];
}

/** Returns the names in the local Postgres of all of the project's roles. */
export function loginsOf(project: NeonProject): readonly string[] {
  const { roleName, secret } = project.data;
  return [roleName, ...Object.keys(secret.passwords ?? {})].map((name) => localName(project, name));
}

/** Returns the owners' projects, oldest first. */
export async function projectsOf({ objects }: VendorContext, owners: readonly string[]): Promise<NeonProject[]> {
  const projects = await objects.list<ProjectData>(PROJECT);
  return projects.filter(({ data }) => owners.includes(data.ownerId));
}

/** Returns the project if it belongs to one of the owners, otherwise undefined. */
export async function findProject(
  { objects }: VendorContext,
  { id, owners }: { readonly id: string; readonly owners: readonly string[] },
): Promise<NeonProject | undefined> {
  const project = await objects.find<ProjectData>(PROJECT, id);
  return project && owners.includes(project.data.ownerId) ? project : undefined;
}
