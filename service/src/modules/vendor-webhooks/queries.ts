import { tableOf } from "../../db/table.ts";

export const vendorEventRows = tableOf("vendorEvents", ["vendor", "mode", "eventId"]);
