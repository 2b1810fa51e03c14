import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Notices } from "./notices.js";
import { PostgresEngine } from "./postgres-engine.js";
import type { PostgresPort } from "./postgres-port.js";
import { type PostgresStatement, postgresStatements } from "./postgres-statements.js";

const digest = (name: string): Buffer => createHash("sha256").update(name).digest();

test("the first change is sent immediately; later changes wait until the next notice may be sent, and share it", async () => {
  const sent: number[] = [];
  let next = (): void => {};
  const port = {
    listen: () => {},
    notify: async (_: unknown, values: readonly unknown[]) => {
      sent.push(String(values[1]).split(",").length);
      await new Promise<void>((resolve) => {
        next = resolve;
      });
    },
  } as unknown as PostgresPort;
  const notices = new Notices(port, postgresStatements("s").notify, "s");
  notices.send(digest("a"));
  expect(sent).toEqual([1]);
  for (const name of ["b", "c", "b", "a"]) notices.send(digest(name));
  expect(sent).toEqual([1]);
  next();
  await expect.poll(() => sent).toEqual([1, 3]);
});

test("a replica leaves the engine only after its last notices were sent", async () => {
  const done: string[] = [];
  let next = (): void => {};
  const port = {
    listen: () => {},
    run: async ({ name }: PostgresStatement) => {
      done.push(name);
      return [{}];
    },
    notify: async ({ name }: PostgresStatement) => {
      done.push(name);
      await new Promise<void>((resolve) => {
        next = resolve;
      });
    },
  } as unknown as PostgresPort;
  const { send, notify, leave } = postgresStatements("s");
  const member = await new PostgresEngine(port, "s").join({ id: "a", ttlMs: 1_000, onMessage: () => {} });
  done.length = 0;
  await member.send("b", "first");
  await member.send("c", "second");
  const left = member.leave();
  await new Promise(setImmediate);
  next();
  await new Promise(setImmediate);
  next();
  await left;
  expect(done).toEqual([send.name, notify.name, send.name, notify.name, leave.name]);
});
