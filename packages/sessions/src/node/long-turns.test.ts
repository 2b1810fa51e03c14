import { afterEach, describe, expect, test, vi } from "vitest";
import { prompted, said } from "../../test/store-contract.js";
import { memoryStore } from "../memory-store.js";
import type { SessionStore } from "../session-store.js";
import { turnsToDrop } from "../turns-to-drop.js";
import { sqliteStore } from "./sqlite-store.js";

vi.mock(import("../turns-to-drop.js"), { spy: true }); // called whenever a store reads a whole log to shrink it

const limits = { maxSessionBytes: 1_000 };
const stores: SessionStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) void store.close();
  vi.clearAllMocks();
});

describe.each([
  ["a memory store", () => memoryStore({ limits })],
  ["a SQLite store", () => sqliteStore({ path: ":memory:", limits })],
])("%s whose last turn exceeds the limit", (_, makeStore) => {
  const open = async () => {
    const store = makeStore();
    stores.push(store);
    const sessions = store.owner("a");
    await sessions.create({ sessionId: "s", cwd: "/work", additionalDirectories: [] });
    return { sessions, log: await sessions.open("s") };
  };

  test("does not read its whole log again for each entry", async () => {
    const { sessions, log } = await open();
    await log.append(prompted("earlier"));
    await log.append(prompted("long"));
    for (let at = 0; at < 100; at++) await log.append(said("x".repeat(100)));
    expect(turnsToDrop).toHaveBeenCalledTimes(1);
    expect(await sessions.read("s")).toHaveLength(101);
  });

  test("removes this turn when the next one begins", async () => {
    const { sessions, log } = await open();
    await log.append(prompted("long"));
    for (let at = 0; at < 100; at++) await log.append(said("x".repeat(100)));
    await log.append(prompted("next"));
    expect((await sessions.read("s")).map(({ entry }) => entry)).toEqual([prompted("next")]);
    await log.append(prompted("y".repeat(700)));
    await log.append(prompted("z".repeat(700)));
    expect(await sessions.read("s")).toHaveLength(1);
  });
});
