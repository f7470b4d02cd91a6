import type { App } from "../../src/app.ts";
import type { FastState } from "../../src/ports/fast-state.ts";

/** Makes individual methods of `app.fastState` fail. Pass the returned `replace` function to `useHarness`. */
export function failingFastState() {
  let failingMethod: keyof FastState | undefined;
  return {
    /** Runs `work`. Every call of `method` fails until `work` ends. */
    while: async <Result>(method: keyof FastState, work: () => Promise<Result>) => {
      failingMethod = method;
      try {
        return await work();
      } finally {
        failingMethod = undefined;
      }
    },
    replace: ({ fastState }: App): Partial<App> => ({
      fastState: new Proxy(fastState, {
        get: (state, name) => {
          if (name === failingMethod) return async () => Promise.reject(new Error("The store does not respond."));
          const value = Reflect.get(state, name);
          return typeof value === "function" ? value.bind(state) : value;
        },
      }),
    }),
  };
}
