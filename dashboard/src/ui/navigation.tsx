import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { useParams, useRouter, useSearch } from "@tanstack/react-router";
import { createContext, type MouseEvent, type ReactNode, useContext, useEffect, useRef } from "react";

export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** The mode of this tab, from the URL of its page. */
export function useMode(): Mode {
  const { mode } = useParams({ strict: false });
  return mode === "live" ? "live" : "test";
}

/** The path above the paths of the screens. Default: `/dashboard/MODE`. */
export const BasePath = createContext<string | undefined>(undefined);

function useBasePath(): string {
  const mode = useMode();
  return useContext(BasePath) ?? `/dashboard/${mode}`;
}

/** Returns the id in the screen's path, for example `useId("projectId")` in `/projects/$projectId`. */
export function useId(name: string): string {
  const parameters: Readonly<Record<string, unknown>> = useParams({ strict: false });
  return String(parameters[name]);
}

/** Returns a function that opens a screen, unless the user has left the one that calls it: `go("/projects")`. */
export function useGo(): (to: string, options?: { readonly replace?: boolean }) => void {
  const base = useBasePath();
  const { history } = useRouter();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return (to, { replace = false } = {}) => {
    if (isMounted.current) history[replace ? "replace" : "push"](`${base}${to}`);
  };
}

/** A link to a screen in this tab's mode: `<AppLink to="/projects">`. */
export function AppLink({
  to,
  children,
  ...props
}: AnchorProps & { readonly to: string; readonly children: ReactNode }) {
  return (
    <Anchor underline="hover" inherit={props.size === undefined} {...useLink(to)} {...props}>
      {children}
    </Anchor>
  );
}

/** A link to a screen that looks like a button. */
export function LinkButton({
  to,
  children,
  ...props
}: ButtonProps & { readonly to: string; readonly children: string }) {
  return (
    <Button component="a" {...useLink(to)} {...props}>
      {children}
    </Button>
  );
}

/** The attributes of a link to a screen, for components other than `AppLink`. */
export function useLink(to: string) {
  const base = useBasePath();
  const { history } = useRouter();
  const href = `${base}${to === "/" ? "" : to}`;
  return {
    href,
    onClick: (event: MouseEvent) => {
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
      if (opensElsewhere || event.defaultPrevented) return;
      event.preventDefault();
      history.push(href);
    },
  };
}

/** The filters of a list, which are in the URL: a link to a filtered list shows the same list, and Back keeps the filters. */
export function useFilters<const Name extends string>(...names: readonly Name[]) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { history } = useRouter();
  const values = Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : [])),
  ) as { readonly [Key in Name]?: string };
  const set = (name: Name, value: string | null) => {
    const query = new URLSearchParams(values as Record<string, string>);
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
    const text = query.toString();
    history.push(`${history.location.pathname}${text === "" ? "" : `?${text}`}`);
  };
  return { values, set };
}

/** An option of the routers: all values in the query string are texts. */
export const SEARCH_AS_TEXT = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, string>) => {
    const text = new URLSearchParams(search).toString();
    return text === "" ? "" : `?${text}`;
  },
};
