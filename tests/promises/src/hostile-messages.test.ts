import type { Diagnostic } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { profiles } from "./harness/remote.js";
import { stopReason } from "./harness/wire.js";

/** Nests a value in so many lists. */
function nested(levels: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const end = { stopReason: "end_turn" };
const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "deep" } };

describe.each(["linked transports", "a child process", ...profiles] as const)("over %s", (kind) => {
  it("hostile.message-depth: a deep update is skipped and reported, a deep response rejects its request, and a deep request is refused", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await connectRaw(kind, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const session = await agent.client.newSession({ cwd: "/work" });
    const { peer } = agent;
    peer.answer("session/prompt", () => {
      peer.say("s1", "before");
      peer.update("s1", { ...chunk, _meta: { deep: nested(3_000) } });
      if (kind === "a child process") {
        const text = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { update: chunk, deep: "?" } });
        agent.write(`${text.replace('"?"', "[".repeat(100_000) + "]".repeat(100_000))}\n`);
      }
      peer.say("s1", "after");
      return end;
    });
    const texts: string[] = [];
    const turn = session.prompt("go");
    for await (const update of turn) texts.push((update as { content: { text: string } }).content.text);
    expect(texts).toEqual(["before", "after"]);
    const reported = { code: "malformed_input", data: { kind: "too_large", message: expect.stringContaining("512") } };
    expect(diagnostics).toMatchObject(kind === "a child process" ? [reported, reported] : [reported]);

    peer.answer("session/prompt", { ...end, _meta: { deep: nested(3_000) } });
    await expect(session.prompt("go").result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "invalid_response",
      method: "session/prompt",
    });
    const refused = await peer.request("fs/read_text_file", { sessionId: "s1", path: "/a", deep: nested(3_000) });
    expect(refused).toMatchObject({ error: { code: -32600, message: expect.stringContaining("deeper") } });
    peer.answer("session/prompt", end);
    await expect(session.prompt("go").result).resolves.toEqual(end);
  });

  it("hostile.message-depth: an agent refuses a deep request and continues", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const { error } = await peer.request("session/prompt", {
      ...promptOf("say hello"),
      _meta: { deep: nested(3_000) },
    });
    expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("deeper") });
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
  });
});

it("hostile.message-nodes: a message with too many values is not parsed: an update is reported, and a response rejects its request", async () => {
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  await using agent = await connectRaw("a child process", { onDiagnostic });
  const session = await agent.client.newSession({ cwd: "/work" });
  const { peer } = agent;
  const many = { many: Array.from({ length: 600_000 }, () => []) };
  peer.answer("session/prompt", () => {
    peer.update("s1", { ...chunk, _meta: many });
    return { ...end, _meta: many };
  });
  await expect(session.prompt("go").result).rejects.toMatchObject({ code: "invalid_response" });
  expect(diagnostics).toMatchObject([
    { code: "malformed_input", data: { message: expect.stringContaining("1000000") } },
    { code: "malformed_input" },
  ]);
  peer.answer("session/prompt", end);
  await expect(session.prompt("go").result).resolves.toEqual(end);
});
