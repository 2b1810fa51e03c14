// #region test
import { type AgentConnection, connectAgent, linkedTransports, type RuleDecision } from "@acp-kit/client";
import { expect, test } from "vitest";
import { agent } from "./capitalizer.js";

const files = new Map<string, string>();

/** Connects a client and the agent in this process, without pipes and ports. */
function connect(permission: RuleDecision): Promise<AgentConnection> {
  const [ours, theirs] = linkedTransports();
  agent.connect(theirs);
  return connectAgent(ours, {
    permissions: async () => permission,
    files: {
      readTextFile: ({ path }) => ({ content: files.get(path) ?? "" }),
      writeTextFile: ({ path, content }) => void files.set(path, content),
    },
  });
}

test("edits the file if it is allowed", async () => {
  files.set("/a.txt", "hello");
  await using connection = await connect("allow_once");
  const session = await connection.newSession({ cwd: "/" });
  const turn = session.prompt("/a.txt");

  const updates: string[] = [];
  for await (const update of turn) updates.push(update.sessionUpdate);

  expect(await turn.result).toEqual({ stopReason: "end_turn" });
  expect(updates).toEqual(["tool_call", "tool_call_update", "tool_call_update"]);
  expect(files.get("/a.txt")).toBe("Hello");
});
// #endregion test

test("does not change the file if it is not allowed", async () => {
  files.set("/a.txt", "hello");
  await using connection = await connect("reject_once");
  const session = await connection.newSession({ cwd: "/" });
  expect(await session.prompt("/a.txt").result).toEqual({ stopReason: "refusal" });
  expect(files.get("/a.txt")).toBe("hello");
});
