import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { addStylesheet, REFRESH_SCRIPT } from "../kit/page-assets.ts";
import { readForm } from "../kit/read-body.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import { forceOutcome } from "./commands.ts";
import { OutcomeName } from "./control-api.ts";
import { PAGE_POLICY, sandboxPage } from "./pages.ts";

const OutcomeForm = Type.Object(
  {
    vendor: Type.String(),
    operation: Type.String(),
    outcome: OutcomeName,
    times: Type.String({ pattern: "^[1-9][0-9]{0,2}$" }),
  },
  { additionalProperties: false },
);

/** Adds the control page for users, with one form per vendor. */
export function addControlPage(app: FastifyInstance, vendors: readonly RunningVendor[]): void {
  app.get("/", async (_request, reply) => {
    const shown = vendors.map(async (vendor) => ({
      vendor,
      objects: await vendor.context.objects.listAll(),
    }));
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", PAGE_POLICY)
      .send(sandboxPage(await Promise.all(shown)));
  });
  addStylesheet(app);
  app.get("/refresh.js", (_request, reply) => reply.type("text/javascript").send(REFRESH_SCRIPT));

  // Only this child context parses forms. Outside it, the API accepts only JSON.
  app.register((child, _options, done) => {
    const server = child.withTypeProvider<TypeBoxTypeProvider>();
    server.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, parsed) =>
      parsed(null, readForm(String(body))),
    );
    server.post("/outcomes", { schema: { body: OutcomeForm } }, async ({ body }, reply) => {
      forceOutcome(vendors, { ...body, times: Number(body.times) });
      return reply.redirect(`/#${encodeURIComponent(body.vendor)}`, 303);
    });
    done();
  });
}
