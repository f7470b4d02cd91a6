import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { lockProject, type ProjectKey } from "../queries.ts";
import { requireVariable } from "./get-variable.ts";
import { deleteVariableValues, type Variable } from "./queries.ts";
import { recordVariableChange } from "./record-variable-change.ts";

/** Deletes a variable's values in all environments and returns the deleted variable. Throws `variable_not_found`. */
export async function deleteVariable(
  app: Pick<App, "db" | "clock">,
  { actor, key, name }: { readonly actor: Actor; readonly key: ProjectKey; readonly name: string },
): Promise<Variable> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const variable = await requireVariable(tx, project, name);
    await deleteVariableValues(tx, project, name);
    await recordVariableChange(tx, actor, {
      action: "project.variable_deleted",
      project,
      variable,
      occurredAt: app.clock.now(),
    });
    return variable;
  });
}
