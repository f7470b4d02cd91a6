export { receiveEvent } from "./receive-event.ts";
export { handlerOf, type ObjectHandlers, reportedObjectOf, WORK_OFF_VENDOR_EVENTS } from "./reported-object.ts";
