import { EngineError } from "../src/engine/engine-error.js";
import type { Engine } from "../src/index.js";

/**
 * Wraps an engine. After `cut(true)`, the replicas' acquisitions of leases, appends, renewals and messages reject with
 * `unavailable`, until `cut(false)`. After `fill(code)`, appends of entries reject with this code, until
 * `fill(undefined)`. After `damage(true)`, reads of pages reject with `corrupt`. After `delay(until)`, acquisitions
 * return when `until` resolves; after `delayRead(until)`, reads of pages do. After `delaySent(until)`, messages reject
 * with `unavailable` and are delivered when `until` resolves, until `delaySent(undefined)`.
 */
export function cuttable(engine: Engine): {
  readonly engine: Engine;
  cut(isCut: boolean): void;
  fill(code: "full" | "corrupt" | undefined): void;
  damage(isDamaged: boolean): void;
  delay(until: Promise<void>): void;
  delayRead(until: Promise<void> | undefined): void;
  delaySent(until: Promise<void> | undefined): void;
} {
  let isCut = false;
  let isDamaged = false;
  let delayed: Promise<void> | undefined;
  let delayedRead: Promise<void> | undefined;
  let delayedSent: Promise<void> | undefined;
  let filled: "full" | "corrupt" | undefined;
  const through = <Result>(call: () => Promise<Result>): Promise<Result> => (isCut ? unavailable() : call());
  const join: Engine["join"] = async (options) => {
    const membership = await engine.join(options);
    return {
      ...membership,
      acquire: async (...args) => {
        const acquired = await through(() => membership.acquire(...args));
        await delayed;
        return acquired;
      },
      append: (lease, first, texts, patch) =>
        filled !== undefined && texts.length > 0
          ? Promise.reject(new EngineError(filled, "The engine accepts no entries"))
          : through(() => membership.append(lease, first, texts, patch)),
      renew: () => through(() => membership.renew()),
      send: (...args) => {
        void delayedSent?.then(() => membership.send(...args));
        return through(() => (delayedSent === undefined ? membership.send(...args) : unavailable()));
      },
    };
  };
  const read: Engine["read"] = async (key, after, limits) => {
    const isPage = limits.maxEntries > 1;
    if (isPage && isDamaged) throw new EngineError("corrupt", "The engine can't read the entries");
    const until = isPage ? delayedRead : undefined;
    const page = await engine.read(key, after, limits);
    await until;
    return page;
  };
  const own: Partial<Engine> = { join, read };
  const wrapped = new Proxy(engine, {
    get: (target, name) => own[name as keyof Engine] ?? bound(target, name),
  });
  return {
    engine: wrapped,
    cut: (next) => {
      isCut = next;
    },
    damage: (next) => {
      isDamaged = next;
    },
    delay: (until) => {
      delayed = until;
    },
    delayRead: (until) => {
      delayedRead = until;
    },
    delaySent: (until) => {
      delayedSent = until;
    },
    fill: (code) => {
      filled = code;
    },
  };
}

function unavailable(): Promise<never> {
  return Promise.reject(new EngineError("unavailable", "The engine does not respond"));
}

function bound(target: Engine, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
}
