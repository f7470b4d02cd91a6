import type { Page } from "playwright-core";
import type { SeededIds } from "./seed-account.ts";
import type { Screen, Screens } from "./take-screenshots.ts";

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name, exact: true }).first().click();
};

export function visitorScreens(): Screens {
  return {
    screens: [
      { name: "sign-in", path: "/login" },
      { name: "sign-up", path: "/signup" },
      { name: "forgot-password", path: "/login/forgot" },
      { name: "revoke-keys", path: "/login/revoke-keys?token=expired" },
      { name: "device", path: "/device" },
      { name: "admin-sign-in", path: "/admin" },
    ],
  };
}

const PROJECT_TABS = ["services", "links", "environment", "billing", "activity", "settings"];

export function developerScreens(ids: SeededIds, user: { readonly email: string; readonly password: string }): Screens {
  const project = `/projects/${ids.project}`;
  const screens: readonly Screen[] = [
    { name: "overview", path: "" },
    { name: "command-palette", path: "", open: (page) => page.keyboard.press("Control+k") },
    { name: "projects", path: "/projects" },
    ...PROJECT_TABS.map((tab) => ({ name: `project-${tab}`, path: `${project}?tab=${tab}` })),
    { name: "project-add-service", path: project, open: click("Add service") },
    { name: "project-service-form", path: `${project}?add=acme-db/postgres` },
    { name: "project-card", path: `${project}?tab=billing`, open: click("Replace the card") },
    { name: "project-compare", path: `${project}?tab=environment`, open: click("Compare a .env file") },
    { name: "agents", path: "/agents" },
    { name: "agent", path: `/agents/${ids.agent}` },
    { name: "policies", path: "/policies" },
    { name: "policy-create", path: "/policies", open: click("Create policy") },
    { name: "policy", path: `/policies/${ids.policy}` },
    { name: "approvals", path: "/approvals" },
    { name: "approval", path: `/approvals/${ids.approval}` },
    { name: "payments", path: "/payments" },
    { name: "payments-refused", path: "/payments?tab=refused" },
    { name: "payment", path: `/payments/${ids.payment}` },
    { name: "payment-refund", path: `/payments/${ids.payment}`, open: click("Refund payment") },
    { name: "wallets", path: "/wallets" },
    { name: "wallet", path: `/wallets/${ids.wallet}` },
    { name: "wallet-freeze", path: `/wallets/${ids.wallet}`, open: click("Freeze wallet") },
    { name: "fiat", path: "/fiat" },
    { name: "fiat-link", path: "/fiat/link" },
    { name: "fiat-on-ramp", path: "/fiat/on-ramp" },
    { name: "fiat-conversion", path: `/fiat/conversions/${ids.conversion}` },
    { name: "keys", path: "/keys" },
    { name: "keys-create", path: "/keys", open: click("Create key") },
    { name: "provider-keys", path: "/provider-keys" },
    { name: "webhooks", path: "/webhooks" },
    { name: "webhook", path: `/webhooks/${ids.webhook}` },
    { name: "webhook-create", path: "/webhooks", open: click("Create webhook") },
    { name: "requests", path: "/requests" },
    { name: "audit", path: "/audit" },
    { name: "kill-switch", path: "/kill-switch" },
    { name: "kill-switch-report", path: `/kill-switch/${ids.killSwitch}` },
    { name: "settings", path: "/settings" },
    { name: "settings-kyb", path: "/settings/kyb" },
  ];
  return {
    screens: screens.map(({ path, ...rest }) => ({ ...rest, path: `/dashboard/test${path}` })),
    signIn: (page) => signInWithPassword(page, user),
  };
}

export function adminScreens(
  admin: { readonly email: string; readonly password: string; readonly code: () => string },
  developerEmail: string,
): Screens {
  return {
    screens: [
      { name: "admin-health", path: "/admin" },
      { name: "admin-developers", path: "/admin/developers" },
      {
        name: "admin-developer",
        path: "/admin/developers",
        open: (page) => page.getByRole("link", { name: developerEmail }).click(),
      },
      { name: "admin-kyb", path: "/admin/kyb" },
      { name: "admin-wallets", path: "/admin/wallets" },
      { name: "admin-operations", path: "/admin/operations" },
      { name: "admin-audit", path: "/admin/audit" },
    ],
    async signIn(page) {
      await signInWithPassword(page, admin);
      await page.getByLabel("Code").fill(admin.code());
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("navigation", { name: "Screens" }).waitFor({ state: "attached" });
    },
  };
}

export async function signInWithPassword(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
) {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}
