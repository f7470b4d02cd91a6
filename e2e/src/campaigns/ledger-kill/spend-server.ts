import { composeApp } from "@purser/service/compose.ts";
import { readConfig } from "@purser/service/config.ts";
import { allRoutes } from "@purser/service/http/routes/manifest.ts";
import { buildServer } from "@purser/service/http/server.ts";
import { apiJobs, workerJobs } from "@purser/service/jobs/jobs.ts";
import { startJobs } from "@purser/service/jobs/runner.ts";
import { allSagas, workflowsOf } from "@purser/service/workflows/sagas.ts";
import { testSpendRoute } from "../../../../service/test/test-spend.ts";

/** A server like that of `serve.ts`, which also has the route `POST /test/spend`. */
const config = readConfig(process.env);
const app = await composeApp(config);
await app.durable.launch(workflowsOf(app, allSagas));
const server = await buildServer(app, { routes: [...allRoutes, testSpendRoute()] });
startJobs([...apiJobs(app), ...workerJobs(app)], app.log);
const url = await server.listen({ host: config.host, port: config.port });
process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
