import { type Agent, createAgent, diff } from "@acp-kit/agent";
import { connectAgent, linkedTransports, type Transport } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { isProfile, openRemote, profiles } from "./harness/remote.js";

describe.each(["linked transports", ...profiles])("over %s", (kind) => {
  it("order.whole-turn: a plan, a file, a diff, a permission request and a message arrive in the order of the code, before the result", async () => {
    const agent = createAgent({
      info: { name: "hello", version: "1.0.0" },
      newSession: async () => ({ sessionId: "s1" }),
      prompt: async (turn) => {
        await turn.plan([{ content: "Fix the typo", priority: "high", status: "in_progress" }]);
        const source = await turn.client.readTextFile({ path: "/work/a.ts" });
        const edit = turn.toolCall({ kind: "edit", title: "Fix a.ts", locations: [{ path: "/work/a.ts" }] });
        if (!(await edit.requestPermission()).allowed) return "end_turn";
        await edit.complete({ content: [diff({ path: "/work/a.ts", oldText: source.content, newText: "fixed" })] });
        await turn.message("Done.");
        return "end_turn";
      },
    });
    await using remote = isProfile(kind) ? await openRemote(kind, agent) : linked(agent);
    const diagnostics: unknown[] = [];
    await using connection = await connectAgent(remote.transport, {
      info: { name: "my-editor", version: "1.0.0" },
      files: { readTextFile: async ({ path }) => ({ content: `typo in ${path}` }) },
      permissions: async () => "allow_once",
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const session = await connection.newSession({ cwd: "/work" });
    const turn = session.prompt("Explain this");
    const kinds: string[] = [];
    for await (const update of turn) kinds.push(update.sessionUpdate);
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    expect(kinds).toEqual(["plan", "tool_call", "tool_call_update", "agent_message_chunk"]);
    expect(diagnostics).toEqual([]);
  });
});

function linked(agent: Agent): { readonly transport: Transport } & AsyncDisposable {
  const [theirs, ours] = linkedTransports();
  agent.connect(theirs);
  return { transport: ours, [Symbol.asyncDispose]: () => theirs.close() };
}
