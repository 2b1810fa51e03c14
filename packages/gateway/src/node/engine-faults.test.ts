import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Engine, Lease, Membership } from "../engine/engine.js";
import { sqliteEngine } from "./sqlite-engine.js";

/** The system fails SQLite at one step: `left` counts down to it. `seen` contains the SQL of every step. */
const fault = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, code: "", seen: [] as string[] }));

vi.mock("libsql", async (original) => {
  const { default: Real } = await original<{ default: typeof import("libsql") }>();
  const step = (sql: string): void => {
    fault.seen.push(sql);
    if (fault.left-- === 0) throw Object.assign(new Error("disk I/O error"), { name: "SqliteError", code: fault.code });
  };
  class Faulty extends Real {}
  const { exec, prepare } = Real.prototype;
  Object.assign(Faulty.prototype, {
    exec(this: InstanceType<typeof Real>, sql: string) {
      step(sql);
      return exec.call(this, sql);
    },
    prepare(this: InstanceType<typeof Real>, sql: string) {
      const statement = prepare.call(this, sql);
      for (const name of ["run", "get", "all"] as const) {
        const real = (statement[name] as (...values: unknown[]) => unknown).bind(statement);
        Object.assign(statement, {
          [name]: (...values: unknown[]) => {
            step(sql);
            return real(...values);
          },
        });
      }
      return statement;
    },
  });
  return { default: Faulty };
});

const folders: string[] = [];
const mounted: string[] = [];
afterEach(() => {
  Object.assign(fault, { left: Number.POSITIVE_INFINITY, seen: [] });
  for (const folder of mounted.splice(0)) spawnSync("umount", ["-l", folder]);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-"));
  folders.push(folder);
  return folder;
}

const ann = { tenant: "t", user: "ann" };
const all = { maxEntries: 1_000, maxChars: 1_000_000 };
const sessionIds = ["one", "two"];

/** What the engine has acknowledged for one session. */
interface Session {
  lease: Lease | undefined;
  texts: string[];
  title: string | null;
}

async function textsOf(engine: Engine, sessionId: string): Promise<string[] | undefined> {
  const page = await engine.read({ scope: ann, sessionId }, undefined, all);
  return page.is === "page" ? page.entries.map(({ text }) => text) : undefined;
}

/** Repeats work that a fault of the engine has rejected. */
async function tried<Result>(errors: unknown[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    errors.push(error);
    return work();
  }
}

/**
 * Writes two sessions at once, so that their appends share transactions. Collects the errors, and what the engine has
 * acknowledged.
 */
async function story(engine: Engine, sessions: Map<string, Session>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
  await Promise.all(
    sessionIds.map(async (sessionId) => {
      const record = { sessionId, cwd: "/", additionalDirectories: [], state: "{}" };
      await tried(errors, () => engine.create(ann, record));
      const session: Session = { lease: undefined, texts: [], title: null };
      sessions.set(sessionId, session);
      for (const length of [3, 9_000, 3]) {
        const lease = await tried(errors, () => leased(member, sessionId));
        for (let i = 0; i < 2; i++)
          await tried(errors, () => append(engine, member, { session, sessionId, lease, length }));
      }
    }),
  );
  await engine.close();
  return errors;
}

async function leased(member: Membership, sessionId: string): Promise<Lease> {
  const acquired = await member.acquire({ scope: ann, sessionId });
  if (acquired.is !== "held") throw new Error(acquired.is);
  return acquired.lease;
}

interface Append {
  readonly session: Session;
  readonly sessionId: string;
  readonly lease: Lease;
  readonly length: number;
}

/** Appends an entry. A rejected append has written nothing, so the same append is accepted when it is repeated. */
async function append(
  engine: Engine,
  member: Membership,
  { session, sessionId, lease, length }: Append,
): Promise<void> {
  const text = JSON.stringify(`${sessionId} ${session.texts.length} ${"x".repeat(length)}`);
  const title = `title ${session.texts.length}`;
  expect(await member.append(lease, session.texts.length + 1, [text], { title })).toEqual({ is: "appended" });
  session.texts.push(text);
  session.title = title;
  expect(await tried([], () => textsOf(engine, sessionId))).toEqual(session.texts);
}

describe("gateway.sqlite-faults: the SQLite engine in a system that fails at one step", () => {
  test.each(["SQLITE_FULL", "SQLITE_BUSY"])(
    "acknowledges nothing that is not stored, and stores nothing that it has rejected, at whatever step %s occurs",
    { timeout: 120_000 },
    async (code) => {
      let commits = 0;
      let steps = 0;
      for (let isOver = false; !isOver; steps++) {
        const path = join(temporaryFolder(), "gateway.sqlite");
        const sessions = new Map<string, Session>();
        const written = sqliteEngine({ path, now: () => 1_000 });
        Object.assign(fault, { left: steps, code, seen: [] });
        const errors = await story(written, sessions);
        isOver = fault.left >= 0;
        if (fault.seen[steps] === "COMMIT") commits += 1;
        fault.left = Number.POSITIVE_INFINITY;
        for (const error of errors)
          expect(error, `step ${steps}`).toMatchObject({ message: expect.stringContaining(path) });
        const engine = sqliteEngine({ path });
        for (const [sessionId, { texts, title }] of sessions) {
          expect(await textsOf(engine, sessionId), `step ${steps}`).toEqual(texts);
          expect((await engine.find({ scope: ann, sessionId }))?.title, `step ${steps}`).toBe(title);
        }
        await engine.close();
      }
      expect(commits).toBeGreaterThan(5);
    },
  );

  test("keeps acknowledged entries on a full disk, and continues when there is room", async ({ skip }) => {
    const folder = temporaryFolder();
    const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]);
    if (status !== 0) skip("this user may not mount a disk");
    mounted.push(folder);
    const path = join(folder, "gateway.sqlite");
    const engine = sqliteEngine({ path });
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    await engine.create(ann, { sessionId: "one", cwd: "/", additionalDirectories: [], state: "{}" });
    const lease = await leased(member, "one");
    const texts: string[] = [];
    const fill = async (text: string): Promise<void> => {
      expect(await member.append(lease, texts.length + 1, [JSON.stringify(text)])).toEqual({ is: "appended" });
      texts.push(JSON.stringify(text));
    };
    const filling = (async () => {
      for (let i = 0; i < 1_000; i++) await fill(`${i} ${"x".repeat(5_000)}`);
    })();
    await expect(filling).rejects.toMatchObject({ code: "full" });
    expect(texts.length).toBeGreaterThan(10);
    expect(await textsOf(engine, "one")).toEqual(texts);
    expect(spawnSync("mount", ["-o", "remount,size=4m", folder]).status).toBe(0);
    await fill("there is room again");
    await engine.close();
    const reopened = sqliteEngine({ path });
    expect(await textsOf(reopened, "one")).toEqual(texts);
    await reopened.close();
  });
});
