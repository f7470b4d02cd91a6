import type { VendorContext } from "../kit/vendor-simulator.ts";
import { applyLogin } from "./neon-postgres.ts";
import {
  databaseTarget,
  localName,
  type NeonOperation,
  type NeonProject,
  PROJECT,
  passwordOf,
} from "./neon-projects.ts";

/**
 * Counts a read of the project's operations, and ends those that have been read often enough. Only then does the database
 * accept the logins that they change. Operations do not depend on the time, because the clock of a test can stand still,
 * and because a client that does not wait for them must never see their effect.
 */
export async function advanceOperations(
  adminUrl: string,
  { objects }: VendorContext,
  project: NeonProject,
): Promise<NeonProject> {
  const { data } = project;
  if (data.operations.every(({ pending }) => pending === undefined)) return project;
  const operations: NeonOperation[] = [];
  for (const { pending, ...operation } of data.operations) {
    if (pending !== undefined && pending.readsLeft === 0) {
      const role = localName(project, pending.role);
      const password = passwordOf(project, pending.role) ?? "";
      await applyLogin(adminUrl, databaseTarget(project), { role, password });
    }
    const isRunning = pending !== undefined && pending.readsLeft > 0;
    operations.push({
      ...operation,
      ...(isRunning && { pending: { ...pending, readsLeft: pending.readsLeft - 1 } }),
    });
  }
  await objects.update(PROJECT, project.id, { data: { ...data, operations } });
  return { ...project, data: { ...data, operations } };
}
