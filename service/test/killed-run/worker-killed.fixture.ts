import { it } from "vitest";
import { startOwnPostgres } from "./own-postgres.ts";

it("is in a worker that is killed", async () => {
  await startOwnPostgres();
  process.kill(process.pid, "SIGKILL");
});
