import { type Mode, useMode } from "./navigation.tsx";

/** A script of another company that the server has configured (`service/src/app.ts`). */
interface Widget {
  readonly name: "stripe" | "plaid" | "turnstile";
  /** Absent if it has no mode. */
  readonly mode?: Mode;
  readonly script: string;
  readonly key?: string;
}

/** Returns the settings of a widget in the mode of this tab. Undefined if the server has none. */
export function useWidget(name: Widget["name"]): Widget | undefined {
  return findWidget(name, useMode());
}

/** Returns the settings of a widget in a mode, or of one that has no mode. */
export function findWidget(name: Widget["name"], mode?: Mode): Widget | undefined {
  const settings = document.querySelector<HTMLMetaElement>("meta[name=purser-widgets]")?.content ?? "[]";
  const widgets: readonly Widget[] = JSON.parse(settings);
  return widgets.find((widget) => widget.name === name && widget.mode === mode);
}

const loaded = new Map<string, Promise<void>>();

/** Loads a script once. A script that could not be loaded is tried again by the next call. */
export function loadScript(url: string): Promise<void> {
  const known = loaded.get(url);
  if (known !== undefined) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => {
      loaded.delete(url);
      script.remove();
      reject(
        new Error(`The script of ${new URL(url).host} could not be loaded. Check your connection, then try again.`),
      );
    };
    document.head.append(script);
  });
  loaded.set(url, loading);
  return loading;
}
