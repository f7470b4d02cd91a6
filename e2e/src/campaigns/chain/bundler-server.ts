import { startVendor } from "@purser/simulators/kit/start-vendor.ts";
import { pimlicoSimulator } from "@purser/simulators/pimlico/pimlico-simulator.ts";
import { Pool } from "pg";

/** Runs the simulated bundler as a process of its own, which can be paused. `RPC_URL` is the URL of its chain. */
const { url } = await startVendor(pimlicoSimulator({ rpcUrlOf: () => process.env["RPC_URL"] }), {
  ...{ host: "127.0.0.1", port: 0, now: () => new Date(), contract: null },
  // It stores nothing, so it does not connect.
  pool: new Pool(),
});
console.log(JSON.stringify({ url }));
