import { Anchor } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { AccountPage } from "./account/account-page.tsx";
import { SecondFactor, SignIn } from "./account/sign-in.tsx";
import { createQueryClient, hooks } from "./api/client.ts";
import { RequestError } from "./api/problem.ts";
import { modeState } from "./api/session.ts";
import { Shell } from "./shell/shell.tsx";
import { AppLink, MODES, SEARCH_AS_TEXT, useMode } from "./ui/navigation.tsx";
import { Bars, Empty, Page } from "./ui/page.tsx";
import { ProblemAlert } from "./ui/problem-alert.tsx";
import { routesOf } from "./ui/screens.tsx";

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage });

function Root() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Outlet />
    </QueryClientProvider>
  );
}

const account = routesOf(root, [
  ["/login", SignIn],
  ["/login/code", SecondFactor],
  ["/login/forgot", lazyRouteComponent(() => import("./account/emailed-links.tsx"), "ForgotPassword")],
  ["/login/reset", lazyRouteComponent(() => import("./account/emailed-links.tsx"), "ResetPassword")],
  ["/login/revoke-keys", lazyRouteComponent(() => import("./account/emailed-links.tsx"), "RevokeKeys")],
  ["/signup", lazyRouteComponent(() => import("./account/sign-up.tsx"), "SignUp")],
  ["/device", lazyRouteComponent(() => import("./account/device.tsx"), "Device")],
]);

const home = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: () => redirect({ to: "/dashboard/$mode", params: { mode: "test" }, throw: true }),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard/$mode",
  component: Dashboard,
  notFoundComponent: MissingScreen,
  beforeLoad: ({ params, location }) => {
    const mode = MODES.find((one) => one === params.mode);
    // Links in emails and errors have no mode: `/dashboard/settings/kyb`.
    const inTest = location.pathname.replace("/dashboard", "/dashboard/test");
    if (mode === undefined) redirect({ to: inTest as "/dashboard", throw: true });
  },
});

const screens = routesOf(dashboard, [
  ["/", lazyRouteComponent(() => import("./overview/overview.tsx"), "Overview")],
  ["/projects", lazyRouteComponent(() => import("./projects/projects.tsx"), "Projects")],
  ["/projects/$projectId", lazyRouteComponent(() => import("./projects/project.tsx"), "ProjectScreen")],
  ["/agents", lazyRouteComponent(() => import("./agents/agents.tsx"), "Agents")],
  ["/agents/$agentId", lazyRouteComponent(() => import("./agents/agent.tsx"), "AgentPage")],
  ["/policies", lazyRouteComponent(() => import("./policies/policies.tsx"), "Policies")],
  ["/policies/$policyId", lazyRouteComponent(() => import("./policies/policy.tsx"), "PolicyPage")],
  ["/approvals", lazyRouteComponent(() => import("./approvals/approvals.tsx"), "Approvals")],
  ["/approvals/$approvalId", lazyRouteComponent(() => import("./approvals/approval.tsx"), "ApprovalPage")],
  ["/payments", lazyRouteComponent(() => import("./payments/payments.tsx"), "Payments")],
  ["/payments/$paymentId", lazyRouteComponent(() => import("./payments/payment.tsx"), "PaymentDetail")],
  ["/wallets", lazyRouteComponent(() => import("./wallets/wallets.tsx"), "Wallets")],
  ["/wallets/$walletId", lazyRouteComponent(() => import("./wallets/wallet.tsx"), "WalletDetail")],
  ["/fiat", lazyRouteComponent(() => import("./fiat/fiat.tsx"), "Fiat")],
  ["/fiat/link", lazyRouteComponent(() => import("./fiat/link-bank.tsx"), "LinkBank")],
  ["/fiat/on-ramp", lazyRouteComponent(() => import("./fiat/convert.tsx"), "OnRamp")],
  ["/fiat/off-ramp", lazyRouteComponent(() => import("./fiat/convert.tsx"), "OffRamp")],
  ["/fiat/conversions/$conversionId", lazyRouteComponent(() => import("./fiat/conversion.tsx"), "ConversionScreen")],
  ["/keys", lazyRouteComponent(() => import("./keys/keys.tsx"), "Keys")],
  ["/provider-keys", lazyRouteComponent(() => import("./provider-keys/provider-keys.tsx"), "ProviderKeysScreen")],
  ["/webhooks", lazyRouteComponent(() => import("./webhooks/webhooks.tsx"), "Webhooks")],
  ["/webhooks/$webhookId", lazyRouteComponent(() => import("./webhooks/webhook.tsx"), "WebhookPage")],
  ["/requests", lazyRouteComponent(() => import("./requests/requests.tsx"), "Requests")],
  ["/audit", lazyRouteComponent(() => import("./audit/audit.tsx"), "Audit")],
  ["/kill-switch", lazyRouteComponent(() => import("./kill-switch/kill-switch.tsx"), "KillSwitches")],
  ["/kill-switch/$killSwitchId", lazyRouteComponent(() => import("./kill-switch/kill-switch.tsx"), "KillSwitchDetail")],
  ["/settings", lazyRouteComponent(() => import("./settings/settings.tsx"), "Settings")],
  ["/settings/kyb", lazyRouteComponent(() => import("./settings/kyb.tsx"), "Kyb")],
]);

/** Each mode has its own cache, because objects of the other mode are absent. */
function Dashboard() {
  const mode = useMode();
  const [clients] = useState(() => ({ test: createQueryClient(), live: createQueryClient() }));
  // With the screen, not before it: until then, what is clicked belongs to the former mode.
  modeState.set(mode);
  return (
    <QueryClientProvider client={clients[mode]}>
      <SignedIn key={mode} />
    </QueryClientProvider>
  );
}

/** Shows the dashboard to a visitor with a session, and the login to others. The page that they asked for comes after it. */
function SignedIn() {
  const { data, error } = hooks.useQuery("get", "/developers/dashboard/me");
  if (data !== undefined) return <Shell developer={data} />;
  if (error instanceof RequestError && error.status === 401) return <ToLogin />;
  return error === null ? <Bars lines={8} /> : <ProblemAlert error={error} />;
}

/** Opens the login, which leads back to this page. */
function ToLogin() {
  const { history } = useRouter();
  useEffect(() => history.replace(`/login?${new URLSearchParams({ next: history.location.href })}`), [history]);
  return null;
}

function MissingPage() {
  return (
    <AccountPage title="This page does not exist">
      <Anchor href="/dashboard">Go to the dashboard</Anchor>
    </AccountPage>
  );
}

function MissingScreen() {
  return (
    <Page title="This page does not exist">
      <Empty title="The address has a mistake, or what it named is gone.">
        <AppLink to="/">Go to the overview</AppLink>
      </Empty>
    </Page>
  );
}

export const router = createRouter({
  routeTree: root.addChildren([...account, home, dashboard.addChildren(screens)]),
  ...SEARCH_AS_TEXT,
  // A screen of another object starts anew: a dialog that is open, or an amount that was typed, must not move to it.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
