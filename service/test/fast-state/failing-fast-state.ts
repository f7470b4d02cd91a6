import type { App } from "../../src/app.ts";
import type { FastState } from "../../src/ports/fast-state.ts";

/** A fast state of which one method fails as long as a test says so; for `replace` of the harness. */
export function failingFastState() {
  let refusing: keyof FastState | undefined;
  return {
    /** Does something while the method fails. */
    while: async <Result>(method: keyof FastState, work: () => Promise<Result>) => {
      refusing = method;
      try {
        return await work();
      } finally {
        refusing = undefined;
      }
    },
    replace: ({ fastState }: App): Partial<App> => ({
      fastState: new Proxy(fastState, {
        get: (state, name) => {
          if (name === refusing) return async () => Promise.reject(new Error("The store is gone."));
          const value = Reflect.get(state, name);
          return typeof value === "function" ? value.bind(state) : value;
        },
      }),
    }),
  };
}
