import type { Answer } from "../signed-client.ts";
import type { World } from "./world.ts";

/** Which credential the specification (or contract section 10) demands. */
export type CredentialClass = "public" | "dashboard" | "admin" | "tenant" | "signed";

/** A call that must not succeed, and what it must be answered with instead. */
export interface WrongCall {
  /** What is wrong with it: `no credential`, `another developer's state`. */
  readonly as: string;
  readonly status: number;
  call(world: World): Promise<Answer>;
}

/** One row of the table. Rows are called in their order: later ones use what earlier ones made. */
export interface Operation {
  readonly name: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  readonly credential: CredentialClass;
  /** What the specification or the contract states for success. */
  readonly status: number;
  call(world: World): Promise<Answer>;
  readonly wrong: readonly WrongCall[];
}
