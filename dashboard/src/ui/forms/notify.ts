import { notifications } from "@mantine/notifications";

/** Says in a corner of the window that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", closeButtonProps: { "aria-label": "Dismiss" } });
}
