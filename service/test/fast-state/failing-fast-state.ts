import type { App } from "../../src/app.ts";
import type { FastState } from "../../src/ports/fast-state.ts";

/** A fast state whose methods fail when a test says so. Pass `replace` to the harness. */
export function failingFastState() {
  let failingMethod: keyof FastState | undefined;
  return {
    /** Runs `work` while the method fails. */
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
          if (name === failingMethod)
            return async () => Promise.reject(new Error("The store does not answer."));
          const value = Reflect.get(state, name);
          return typeof value === "function" ? value.bind(state) : value;
        },
      }),
    }),
  };
}
