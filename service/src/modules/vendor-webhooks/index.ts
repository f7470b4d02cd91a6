export { type ObjectType, receiveEvent } from "./receive-event.ts";
export { reportedObjectOf, WORK_OFF_VENDOR_EVENTS } from "./reported-object.ts";
