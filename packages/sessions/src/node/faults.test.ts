import { describe, expect, test, vi } from "vitest";
import { prompted } from "../../test/store-contract.js";
import { openStore, temporaryPath, textsOf } from "../../test/temporary.js";
import type { SessionStore } from "../session-store.js";

/** The system fails SQLite at one step: `left` counts down to it. */
const fault = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, code: "" }));

vi.mock("libsql", async (original) => {
  const { default: Real } = await original<{ default: typeof import("libsql") }>();
  const step = (): void => {
    if (fault.left-- === 0) throw Object.assign(new Error("disk I/O error"), { name: "SqliteError", code: fault.code });
  };
  class Faulty extends Real {}
  const { exec, prepare } = Real.prototype;
  Object.assign(Faulty.prototype, {
    exec(this: InstanceType<typeof Real>, sql: string) {
      step();
      return exec.call(this, sql);
    },
    prepare(this: InstanceType<typeof Real>, sql: string) {
      const statement = prepare.call(this, sql);
      for (const name of ["run", "get", "all"] as const) {
        const real = (statement[name] as (...values: unknown[]) => unknown).bind(statement);
        Object.assign(statement, {
          [name]: (...values: unknown[]) => {
            step();
            return real(...values);
          },
        });
      }
      return statement;
    },
  });
  return { default: Faulty };
});

/** Writes two sessions and returns the acknowledged entries of each. Continues after errors, and collects them. */
async function story(path: string, acknowledged: Map<string, string[]>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const step = async <Result>(work: () => Result | PromiseLike<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      errors.push(error);
      return undefined;
    }
  };
  const opened = async (): Promise<SessionStore> =>
    (await step(() => openStore({ path, busyTimeoutMs: 50, limits: { maxSessionBytes: 200 } }))) ?? opened();
  const store = await opened();
  const sessions = store.owner("a");
  for (const sessionId of ["one", "two"]) {
    for (let tries = 0; tries < 2 && !acknowledged.has(sessionId); tries++)
      await step(async () => {
        await sessions.create({ sessionId, cwd: "/", additionalDirectories: [] });
        acknowledged.set(sessionId, []);
      });
  }
  for (const [sessionId, texts] of acknowledged) {
    const log = (await step(() => sessions.open(sessionId))) ?? (await sessions.open(sessionId));
    for (let i = 0; i < 4; i++)
      await step(async () => {
        await log.append(prompted(`${sessionId} ${i}`));
        texts.push(`${sessionId} ${i}`);
      });
    await step(() => log.setTitle(sessionId));
    await step(() => log.release());
  }
  await step(() => store.close());
  return errors;
}

describe("a system that fails at one step", () => {
  test.each(["SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_BUSY"])(
    "history.damage: loses no acknowledged entry and fails with a StoreError, at whatever step %s occurs",
    { timeout: 120_000 },
    async (code) => {
      let steps = 0;
      for (let isOver = false; !isOver; steps++) {
        const path = temporaryPath();
        const acknowledged = new Map<string, string[]>();
        Object.assign(fault, { left: steps, code });
        const errors = await story(path, acknowledged);
        isOver = fault.left >= 0;
        fault.left = Number.POSITIVE_INFINITY;
        // A short lock is waited for; every other error is reported once.
        expect(errors.length, `step ${steps}`).toBeLessThanOrEqual(isOver || code === "SQLITE_BUSY" ? 0 : 1);
        for (const error of errors) expect(error, `step ${steps}`).toMatchObject({ name: "StoreError", path });
        const sessions = openStore({ path }).owner("a");
        expect([...acknowledged.keys()], `step ${steps}`).toEqual(["one", "two"]);
        for (const [sessionId, texts] of acknowledged) {
          const kept = await textsOf(sessions, sessionId);
          // The limit drops whole turns from the front.
          expect(kept, `step ${steps}`).toEqual(texts.slice(-kept.length));
          expect(kept.length).toBeGreaterThan(0);
          await (await sessions.open(sessionId)).append(prompted("goes on"));
        }
      }
      expect(steps).toBeGreaterThan(40);
    },
  );
});
