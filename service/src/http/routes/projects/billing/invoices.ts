import {
  InvoiceResource,
  listProjectInvoices,
  presentInvoice,
} from "../../../../modules/charges/invoices/list-invoices.ts";
import { listInvoices } from "../../../../modules/charges/invoices/queries.ts";
import { scopeOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint, type Route } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const InvoiceList = cursorPage(InvoiceResource);

const listInvoicesRoute = endpoint("GET /api/v1/svc/invoices", {
  operationId: "listInvoices",
  sdk: "invoices.list",
  summary: "List invoices",
  description:
    "Returns the invoices for what Purser bills, of all projects of the caller's mode, newest first. Those of deleted projects are included.",
  auth: "tenant",
  scope: "projects:read",
  projectBound: "allowed",
  query: CursorQuery,
  answers: { 200: InvoiceList },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listInvoices(app.db, scopeOf(request), { after: decodeIdCursor(cursor, "inv"), limit });
    return presentPage(page, presentInvoice, "invoiceId");
  },
});

const listProjectInvoicesRoute = endpoint("GET /api/v1/svc/projects/:project_id/invoices", {
  operationId: "listProjectInvoices",
  sdk: "projects.invoices",
  summary: "List invoices of a project",
  description:
    "Returns the project's invoices, newest first. Those of a deleted project stay readable. Fails with `project_not_found`.",
  auth: "tenant",
  scope: "projects:read",
  query: CursorQuery,
  answers: { 200: InvoiceList },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listProjectInvoices(app.db, key, { after: decodeIdCursor(cursor, "inv"), limit });
    return presentPage(page, presentInvoice, "invoiceId");
  },
});

export const invoiceRoutes: readonly Route[] = [listInvoicesRoute, listProjectInvoicesRoute];
