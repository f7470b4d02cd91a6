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
import { agentsScreens } from "./agents/routes.ts";
import { createQueryClient, hooks } from "./api/client.ts";
import { RequestError } from "./api/problem.ts";
import { modeState } from "./api/session.ts";
import { approvalsScreens } from "./approvals/routes.ts";
import { auditScreens } from "./audit/routes.ts";
import { fiatScreens } from "./fiat/routes.ts";
import { keysScreens } from "./keys/routes.ts";
import { killSwitchScreens } from "./kill-switch/routes.ts";
import { overviewScreens } from "./overview/routes.ts";
import { paymentsScreens } from "./payments/routes.ts";
import { policiesScreens } from "./policies/routes.ts";
import { projectsScreens } from "./projects/routes.ts";
import { providerKeysScreens } from "./provider-keys/routes.ts";
import { requestsScreens } from "./requests/routes.ts";
import { settingsScreens } from "./settings/routes.ts";
import type { Screen } from "./shell/screen.ts";
import { Shell } from "./shell/shell.tsx";
import { AppLink, MODES, SEARCH_AS_TEXT, useMode } from "./ui/navigation.tsx";
import { Bars, Empty, Page } from "./ui/page.tsx";
import { ProblemAlert } from "./ui/problem-alert.tsx";
import { walletsScreens } from "./wallets/routes.ts";

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage });

function Root() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Outlet />
    </QueryClientProvider>
  );
}

const accountScreens: readonly Screen[] = [
  { path: "/login", component: SignIn },
  { path: "/login/code", component: SecondFactor },
  {
    path: "/login/forgot",
    component: lazyRouteComponent(() => import("./account/emailed-links.tsx"), "ForgotPassword"),
  },
  { path: "/login/reset", component: lazyRouteComponent(() => import("./account/emailed-links.tsx"), "ResetPassword") },
  {
    path: "/login/revoke-keys",
    component: lazyRouteComponent(() => import("./account/emailed-links.tsx"), "RevokeKeys"),
  },
  { path: "/signup", component: lazyRouteComponent(() => import("./account/sign-up.tsx"), "SignUp") },
  { path: "/device", component: lazyRouteComponent(() => import("./account/device.tsx"), "Device") },
];

const account = accountScreens.map(({ path, component }) =>
  createRoute({ getParentRoute: () => root, path, component }),
);

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

const SCREENS = [
  ...overviewScreens,
  ...projectsScreens,
  ...agentsScreens,
  ...policiesScreens,
  ...approvalsScreens,
  ...paymentsScreens,
  ...walletsScreens,
  ...fiatScreens,
  ...keysScreens,
  ...providerKeysScreens,
  ...requestsScreens,
  ...auditScreens,
  ...killSwitchScreens,
  ...settingsScreens,
];

const screens = SCREENS.map(({ path, component }) =>
  createRoute({
    getParentRoute: () => dashboard,
    path,
    component,
    pendingComponent: () => <Bars lines={6} />,
    errorComponent: ({ error }) => <ProblemAlert error={error} />,
  }),
);

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
