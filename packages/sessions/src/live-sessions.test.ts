import type { AgentDefinition } from "@acp-kit/agent";
import { expect, test } from "vitest";
import { type Connected, connect } from "../test/connect.js";
import { LiveSessions } from "./live-sessions.js";
import { memoryStore } from "./memory-store.js";

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
