import { startSandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { serveParent } from "../server-process.ts";

/** Starts the simulated vendors, which store their objects in `databaseUrl`. */
serveParent(async ({ databaseUrl }: { readonly databaseUrl: string }) => {
  const sandbox = await startSandbox({
    databaseUrl,
    neonAdminUrl: databaseUrl,
    host: "127.0.0.1",
    redirectUris: [],
    contractsDir: null,
  });
  return { url: sandbox["acme-db"].url };
});
