import { startService } from "@purser/service/compose.ts";
import { readConfig } from "@purser/service/config.ts";
import { testSaga } from "../../service/test/test-saga.ts";

/** A server with one test saga, whose vendor is at `DRILL_URL`. */
const call = async (method: string, operationId: string) => {
  const { ok, body } = await fetch(`${process.env["DRILL_URL"]}/${operationId}`, { method });
  await body?.cancel();
  return ok;
};
const drill = testSaga({
  find: async (id) => ((await call("GET", id)) ? id : undefined),
  make: async (id) => ((await call("PUT", id)) ? id : "nothing"),
  destroy: async (id) => void (await call("DELETE", id)),
});

const { url } = await startService(readConfig(process.env), { sagas: [drill] });
process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
