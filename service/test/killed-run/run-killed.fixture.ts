import { it } from "vitest";
import { startOwnPostgres } from "./own-postgres.ts";

it("is in a run that is killed", async () => {
  await startOwnPostgres();
  await new Promise(() => {});
});
