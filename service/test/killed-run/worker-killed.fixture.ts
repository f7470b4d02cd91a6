import { it } from "vitest";
import { startOwnPostgres } from "./own-postgres.ts";

it("kills its own worker", async () => {
  await startOwnPostgres();
  process.kill(process.pid, "SIGKILL");
});
