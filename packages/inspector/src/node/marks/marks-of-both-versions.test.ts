import { connectAgent } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { memorySink, type Recording, readRecording, recorder } from "@acp-kit/testing/recording";
import { v2 } from "@acp-kit/v2/client";
import { beforeAll, expect, it } from "vitest";
import { marksOf } from "../export/inspector-html.js";

/** Records a conversation with the everything agent. The client offers version 2, or only version 1. */
async function record(offersVersion2: boolean): Promise<Recording> {
  const [ours, theirs] = linkedTransports();
  everythingAgent({ paceMs: 0 }).connect(theirs);
  const sink = memorySink();
  const agent = await connectAgent(ours, {
    info: { name: "test", version: "1" },
    versions: offersVersion2 ? [v2] : [],
    permissions: async () => "allow_once",
    tap: recorder({ in: "client", sink }),
  });
  const session = await agent.newSession({ cwd: "/work" });
  for (const prompt of [
    "/echo hi",
    "/permission",
    "/terminal",
    "/background 2",
    "/changes",
    "/plan",
    "/later",
    "/work",
  ])
    await session.prompt(prompt).result;
  await session.options.set("mode", "code");
  await agent.openSession({ cwd: "/work", sessionId: session.sessionId }, { prefer: "load" }).catch(() => {});
  await session.close();
  await agent.close();
  return readRecording(sink.text());
}

/** A recorded message, which a test changes. */
interface Message {
  method?: string;
  params?: object;
}

let recording: Recording;
beforeAll(async () => {
  recording = await record(true);
});

/** The marks of the recording after a change of its messages. */
function marksAfter(change: (message: Message) => void): readonly string[] {
  const changed = structuredClone(recording);
  for (const entry of changed.entries) if (entry.kind === "message") change(entry.message as Message);
  return [...new Set(marksOf(changed).map(({ kind, id }) => `${kind} ${id}`))];
}

/** The update in a message, if it is of this kind. */
const updateIn = (message: Message, kind: string): Record<string, unknown> | undefined => {
  const { update } = Object(message.params);
  return update?.sessionUpdate === kind ? update : undefined;
};

it("the messages of a version are checked by the schema and the rules of that version, without false marks", async () => {
  expect(recording.entries.find(({ kind }) => kind === "peers")).toMatchObject({ protocolVersion: 2 });
  expect(recording.entries.length).toBeGreaterThan(50);
  expect(marksOf(recording)).toEqual([]);
  const first = await record(false);
  expect(first.entries.find(({ kind }) => kind === "peers")).toMatchObject({ protocolVersion: 1 });
  expect(marksOf(first)).toEqual([]);
});

it.each<[string, (message: Message) => void, readonly string[]]>([
  [
    "a method of version 1",
    (message) => Object.assign(message, message.method === "session/close" && { method: "session/load" }),
    ["schema method", "rule V2-14"],
  ],
  [
    "an update of version 1",
    (message) => Object.assign(updateIn(message, "tool_call_update") ?? {}, { sessionUpdate: "tool_call" }),
    ["rule V2-34"],
  ],
  [
    "output of a terminal that is not base64",
    (message) => Object.assign(updateIn(message, "terminal_output_chunk") ?? {}, { data: "plain text" }),
    ["rule V2-39"],
  ],
  [
    "the end of work without a stop reason",
    (message) => {
      const state = updateIn(message, "state_update");
      if (state?.stopReason !== undefined) delete state.stopReason;
    },
    ["rule V2-24"],
  ],
  [
    "a permission request without a title",
    (message) => {
      if (message.method === "session/request_permission") Object.assign(message.params ?? {}, { title: null });
    },
    ["schema params", "rule V2-40"],
  ],
])("marks of version 2: %s", (_, change, marks) => {
  expect(marksAfter(change)).toEqual(marks);
});
