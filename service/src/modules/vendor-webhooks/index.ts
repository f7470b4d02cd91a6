export { receiveEvent } from "./receive-event.ts";
export { type ObjectHandlers, workOffEvents } from "./work-off-events.ts";
