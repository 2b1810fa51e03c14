import { readFileSync } from "node:fs";
import type { PromptTurn } from "@acp-kit/client";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { describe, expect, it, onTestFinished } from "vitest";
import { turn } from "../../test/bridged.js";
import { info } from "../../test/connected.js";
import { rawPeer } from "../../test/peers.js";
import { v2 } from "./index.js";

type Json = Record<string, unknown>;

interface Recorded {
  readonly dir: "c2a" | "a2c" | "meta";
  readonly msg?: Json;
}

/** Plays the agent of a recording to our client, whose application does what the recorded one did. */
async function replay(name: string) {
  const lines = readFileSync(new URL(`../../test/wires/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ dir, msg }) => dir !== "meta" && msg !== undefined);
  const [agentEnd, clientEnd] = linkedTransports();
  const agent = rawPeer(agentEnd);
  const diagnostics: unknown[] = [];
  const outcomes = new Map<unknown, (outcome: object) => void>();
  const connecting = connectAgent(clientEnd, {
    info,
    versions: [v2],
    concurrentPrompts: "send",
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    extensions: { "_auth/status_update": { kind: "notification", handle: () => {} } },
    permissions: async (request, { signal }) =>
      new Promise((resolve) => {
        outcomes.set(request.toolCall.toolCallId, resolve as never);
        signal.addEventListener("abort", () => resolve("cancelled"));
      }),
  });
  /** The ids of the requests of the recorded client, with those of our client. */
  const ids = new Map<unknown, unknown>();
  const turns: PromptTurn[] = [];
  const texts: Promise<string>[] = [];
  const requested = new Map<unknown, string>();
  let text = "";
  let client: Awaited<typeof connecting> | undefined;
  for (const { dir, msg } of lines as { dir: string; msg: Json }[]) {
    const { method, id, params } = msg as { method?: string; id?: unknown; params?: Json };
    if (dir === "a2c" && method === undefined) {
      if (ids.has(id)) agent.send({ ...msg, id: ids.get(id) });
      await turn();
      if (client === undefined) client = await connecting;
    } else if (dir === "a2c") {
      const update = (params as { update?: Json } | undefined)?.update;
      if (update?.sessionUpdate === "agent_message_chunk") text += (update.content as { text?: string }).text ?? "";
      if (method === "session/request_permission")
        requested.set(id, String((params as { subject: { toolCall: Json } }).subject.toolCall.toolCallId));
      if (id !== undefined) agent.request(method as string, params, { id: id as never });
      else agent.send(msg);
    } else if (method === undefined) {
      outcomes.get(requested.get(id))?.((msg.result as { outcome: object }).outcome);
    } else {
      const session = client?.sessions[0];
      if (method === "session/new") client?.newSession({ cwd: "/work" }).catch(() => {});
      else if (method === "session/prompt") {
        const prompt = session?.prompt(params?.prompt as never) as PromptTurn;
        turns.push(prompt);
        texts.push(prompt.text());
      } else if (method === "session/cancel") session?.cancel();
      await turn();
      const sent = agent.receivedSoFar().findLast((message) => message.method === method);
      if (id !== undefined && sent !== undefined) ids.set(id, sent.id);
    }
    await turn();
  }
  const session = client?.sessions[0];
  onTestFinished(async () => {
    await client?.close();
    expect(agent).toHaveConformantDialogue();
  });
  return { session, turns, text, texts, diagnostics };
}

describe("V2-REQ-37: a recorded agent of version 2 and our client", () => {
  it.each([
    ["run", ["end_turn"], 1],
    ["edit", ["end_turn"], 1],
    ["write-cancel", ["cancelled"], 1],
    ["queue", ["cancelled", "cancelled"], 1], // the agent never inserts the second prompt
  ])(
    "%s: the whole text arrives, every turn ends once, and nothing is reported",
    async (name, stopReasons, inserted) => {
      const { session, turns, text, texts, diagnostics } = await replay(name);
      const results = await Promise.all(turns.map(({ result }) => result));
      expect(results.map(({ stopReason }) => stopReason)).toEqual(stopReasons);
      expect((await Promise.all(texts)).join("").replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
      expect(diagnostics).toEqual([]);
      expect(session?.activity).toBe("idle");
      const { entries, turns: shown } = session?.transcript.snapshot ?? { entries: [], turns: [] };
      expect(shown.map(({ state }) => state)).toEqual(Array.from({ length: inserted }, () => "ended"));
      expect(entries.filter(({ type }) => type === "unknown")).toEqual([]);
      expect(entries.filter(({ type }) => type === "user_message")).toHaveLength(inserted);
    },
  );

  it("run: the output of the command is in the transcript", async () => {
    const { session } = await replay("run");
    const terminals = Object.values(session?.transcript.snapshot.terminals ?? {});
    expect(terminals).toMatchObject([{ output: expect.stringContaining("run-ok"), exit: { exitCode: 0 } }]);
  });

  it("edit: the patch is a diff", async () => {
    const { session } = await replay("edit");
    const contents = session?.transcript.snapshot.entries.flatMap((entry) =>
      entry.type === "tool_call" ? entry.content : [],
    );
    expect(contents?.find(({ type }) => type === "diff")).toMatchObject({
      path: expect.any(String),
      newText: expect.any(String),
    });
  });
});
