import type { AgentDefinition } from "@acp-kit/agent";
import { expect, test } from "vitest";
import { type Connected, connect, signal } from "../test/connect.js";
import { LiveSessions } from "./live-sessions.js";
import { memoryStore } from "./memory-store.js";
import type { OwnedSessions } from "./session-store.js";

const definition: AgentDefinition = {
  info: { name: "test", version: "1" },
  newSession: () => ({ sessionId: "s" }),
  prompt: async () => {},
};

test("a session that its last connection leaves while another one opens it can be used by the other", async () => {
  const sessions = memoryStore().owner("a");
  await sessions.create({ sessionId: "s", cwd: "/work", additionalDirectories: [] });
  const live = new LiveSessions();
  const follow = ({ connection }: Connected) =>
    live.follow({ sessionId: "s", title: null }, { sessions, owner: "a", connection, handle: {} as never });
  const [first, second] = [await connect(definition), await connect(definition)];
  const { session } = await follow(first);
  const opening = follow(second);
  await session.leave(first.connection);
  expect((await opening).session).toBe(live.find("s"));
});

test("a session that two connections open at the same time can be written, even if the store returns the older lease last", async () => {
  const sessions = memoryStore().owner("a");
  await sessions.create({ sessionId: "s", cwd: "/work", additionalDirectories: [] });
  const live = new LiveSessions();
  const { happened, happen } = signal();
  const opened: Promise<void>[] = [happened, Promise.resolve()];
  const slow: OwnedSessions = {
    ...sessions,
    async open(sessionId) {
      const log = await sessions.open(sessionId);
      await opened.shift();
      return log;
    },
  };
  const follow = ({ connection }: Connected) =>
    live.follow({ sessionId: "s", title: null }, { sessions: slow, owner: "a", connection, handle: {} as never });
  const [first, second] = [await connect(definition), await connect(definition)];
  const older = follow(first);
  const { session } = await follow(second);
  happen();
  await older;
  expect(await session.append({ type: "end", stopReason: "end_turn" })).toBe(1);
});
