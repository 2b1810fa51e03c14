import { Budget, deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, it } from "vitest";
import { settled } from "../test/rig.js";
import { PrincipalMemory } from "./principal-memory.js";
import { ReadRoom } from "./read-room.js";

describe("readers of one principal", () => {
  it("read one after the other, in order, and only while there is room", async () => {
    const room: ReadRoom = new ReadRoom(new Budget(100), () => room.admit());
    const log: string[] = [];
    const first = deferred<void>();
    const read = (name: string, bytes: number, until?: Promise<void>) =>
      room.read(
        async () => {
          log.push(name);
          await until;
        },
        () => bytes,
      );
    const a = read("a", 90, first.promise);
    const b = read("b", 90);
    const c = read("c", 1);
    await settled();
    expect(log).toEqual(["a"]);
    first.resolve();
    await settled();
    expect(log).toEqual(["a", "b"]); // one read may exceed the limit
    (await a).release();
    (await a).release();
    await settled();
    expect(log).toEqual(["a", "b", "c"]);
    (await b).release();
    (await c).release();
  });

  it("go on after a read that fails", async () => {
    const room: ReadRoom = new ReadRoom(new Budget(100), () => room.admit());
    const failed = room.read(
      () => Promise.reject(new Error("unavailable")),
      () => 1,
    );
    const next = room.read(
      () => "read",
      () => 1,
    );
    await expect(failed).rejects.toThrow("unavailable");
    expect((await next).result).toBe("read");
  });
});

it("gateway.bounded-memory: a principal waits for the room of the replica, and continues when another principal releases it", async () => {
  const memory = new PrincipalMemory(20); // 40 for a principal, 160 for the replica
  const all = ["a", "b", "c", "d"].map((user) => memory.enter({ tenant: "", user }));
  const reads = await Promise.all(
    all.map(({ unread }) =>
      unread.read(
        () => "page",
        () => 40,
      ),
    ),
  );
  let isRead = false;
  const fifth = memory.enter({ tenant: "", user: "e", access: "observe" });
  void fifth.unread.read(
    () => (isRead = true),
    () => 1,
  );
  await settled();
  expect(isRead).toBe(false);
  reads[0]?.release();
  await settled();
  expect(isRead).toBe(true);
});
