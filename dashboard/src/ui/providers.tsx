import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { theme } from "./theme.ts";

/** The nonce of this page's Content Security Policy, which the styles that Mantine adds need. */
function styleNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

export function renderApp(app: ReactNode): void {
  // The library that locks scrolling behind a dialog looks for the nonce here.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no element for the app.");
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
        <Notifications position="bottom-right" />
        {app}
      </MantineProvider>
    </StrictMode>,
  );
}
