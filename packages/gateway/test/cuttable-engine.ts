import { type Engine, EngineError } from "../src/index.js";

/** Wraps an engine. After `cut(true)`, the replicas' acquisitions of leases, appends, renewals and messages reject with `unavailable`, until `cut(false)`. */
export function cuttable(engine: Engine): { readonly engine: Engine; cut(isCut: boolean): void } {
  let isCut = false;
  const through = <Result>(call: () => Promise<Result>): Promise<Result> =>
    isCut ? Promise.reject(new EngineError("unavailable", "The engine does not respond")) : call();
  const join: Engine["join"] = async (options) => {
    const membership = await engine.join(options);
    return {
      ...membership,
      acquire: (...args) => through(() => membership.acquire(...args)),
      append: (...args) => through(() => membership.append(...args)),
      renew: () => through(() => membership.renew()),
      send: (...args) => through(() => membership.send(...args)),
    };
  };
  const wrapped = new Proxy(engine, { get: (target, name) => (name === "join" ? join : bound(target, name)) });
  return {
    engine: wrapped,
    cut: (next) => {
      isCut = next;
    },
  };
}

function bound(target: Engine, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
}
