export { receiveEvent } from "./receive-event.ts";
export { workOffEvents } from "./work-off-events.ts";
