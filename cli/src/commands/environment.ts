import type { Program } from "../program-parts.ts";
import { groupOf } from "../program-parts.ts";

export function environmentCommands({ program }: Program): void {
  groupOf(program, ["env"]).summary("The environment of the project: pull, diff, run");
}
