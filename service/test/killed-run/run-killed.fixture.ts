import { it } from "vitest";
import { startOwnPostgres } from "./own-postgres.ts";

it("runs until the whole run is killed", async () => {
  await startOwnPostgres();
  await new Promise(() => {});
});
