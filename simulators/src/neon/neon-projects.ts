import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import type { PostgresTarget } from "./neon-postgres.ts";

export const PROJECT = "project";

/** As our catalog offers them, out of Neon's. */
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
/** Leaves room for the project's id in a name of Postgres', which has 63 characters. */
const NAME_PART_LENGTH_MAX = 36;

/** What is kept of a project. */
export interface ProjectData {
  /** The organization's id, or the person's. */
  readonly ownerId: string;
  readonly name: string;
  readonly regionId: string;
  readonly pgVersion: number;
  /** As they were asked for, and as Neon goes on calling them. */
  readonly databaseName: string;
  readonly roleName: string;
  readonly operations: readonly { readonly id: string; readonly action: string }[];
  readonly secret: { readonly password: string };
}

export type NeonProject = StoredObject<ProjectData>;

/** A project's id, in the form of Neon's: `shiny-wind-02883412`. */
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
 * Where the project's database really is. Neon gives every project a Postgres of its own, in which names are as they were
 * asked for; here all of them share one, so that the names carry the project's id.
 */
export function placeOf({ id, data }: Pick<NeonProject, "id" | "data">): PostgresTarget {
  const suffix = id.replaceAll("-", "_");
  return {
    role: `${data.roleName.slice(0, NAME_PART_LENGTH_MAX)}_${suffix}`,
    database: `${data.databaseName.slice(0, NAME_PART_LENGTH_MAX)}_${suffix}`,
  };
}

/** The owner's projects, oldest first. */
export async function projectsOf(
  { objects }: VendorContext,
  owners: readonly string[],
): Promise<NeonProject[]> {
  const projects = await objects.list<ProjectData>(PROJECT);
  return projects.filter(({ data }) => owners.includes(data.ownerId));
}

/** The project of this id, where one of these owners has it. */
export async function findProject(
  { objects }: VendorContext,
  { id, owners }: { readonly id: string; readonly owners: readonly string[] },
): Promise<NeonProject | undefined> {
  const project = await objects.find<ProjectData>(PROJECT, id);
  return project && owners.includes(project.data.ownerId) ? project : undefined;
}
