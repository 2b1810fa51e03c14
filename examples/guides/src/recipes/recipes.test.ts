import { type Agent, createAgent } from "@acp-kit/agent";
import { type ConnectAgentOptions, connectAgent, linkedTransports, type Transport } from "@acp-kit/client";
import { everythingAgent, memoryLogin } from "@acp-kit/everything-agent";
import { expect, test, vi } from "vitest";
import { editor, modelAgent } from "./agent.js";
import {
  answerTo,
  answerWithin,
  connectAndShow,
  connectUnattended,
  connectWithLogin,
  continueSession,
  describe as describeImage,
  sessionWithTools,
  startFromDesktop,
} from "./client.js";

const cwd = "/work";

/** The transport of a client to an agent in this process. */
function linked(agent: Agent): Transport {
  const [ours, theirs] = linkedTransports();
  agent.connect(theirs);
  return ours;
}

const connect = (agent: Agent, options?: ConnectAgentOptions) => connectAgent(linked(agent), options);

const info = { name: "test", version: "1" };
const words = modelAgent(async function* (prompt, signal) {
  for (const word of `You said: ${prompt}`.split(/(?<= )/)) yield word;
  if (prompt === "wait") await new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
});

test("the text of a turn is the text of all message chunks", async () => {
  await using agent = await connect(words);
  expect(await answerTo(await agent.newSession({ cwd }), "hello there")).toBe("You said: hello there");
});

test("a turn ends as cancelled when its time is up", async () => {
  await using agent = await connect(words);
  const session = await agent.newSession({ cwd });
  expect(await answerWithin(session, "wait", 20)).toBe("cancelled");
  expect(await answerWithin(session, "hello", 60_000)).toBe("end_turn");
});

test("rules decide permission requests without a user", async () => {
  const asking = createAgent({
    info,
    newSession: () => ({ sessionId: "s" }),
    prompt: async (turn) => {
      const [kind, path = ""] = turn.text.split(" ");
      const call = turn.toolCall({ title: turn.text, kind: kind === "read" ? "read" : "edit", locations: [{ path }] });
      const { allowed } = await call.requestPermission();
      await turn.message(allowed ? "yes" : "no");
    },
  });
  await using agent = await connectUnattended(linked(asking));
  const session = await agent.newSession({ cwd });
  expect(await answerTo(session, "read /work/a.txt")).toBe("yes");
  expect(await answerTo(session, "read /work/.env")).toBe("no");
  expect(await answerTo(session, "edit /work/a.txt")).toBe("no");
});

test("a login happens when a call needs it", async () => {
  await using agent = await connectWithLogin(linked(everythingAgent({ login: memoryLogin() })));
  const session = await agent.newSession({ cwd });
  expect(await answerTo(session, "hello")).toContain("hello");
});

test("a saved session continues over another connection, and a missing session is replaced by a new one", async () => {
  const everything = everythingAgent();
  await using before = await connect(everything);
  const { sessionId } = await before.newSession({ cwd });
  await using agent = await connect(everything);
  const continued = await continueSession(agent, cwd, sessionId);
  expect([continued.sessionId, continued.origin]).toEqual([sessionId, expect.not.stringMatching("new")]);
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
  expect((await continueSession(agent, cwd, "gone")).origin).toBe("new");
  expect(consoleError).toHaveBeenCalledOnce();
  consoleError.mockRestore();
});

test("MCP servers and images are sent to an agent that supports them", async () => {
  const received: unknown[] = [];
  const taking = createAgent({
    info,
    promptContent: { image: true },
    newSession: ({ mcpServers }) => {
      received.push(...mcpServers.map(({ name }) => name));
      return { sessionId: "s" };
    },
    prompt: async ({ prompt }) => void received.push(...prompt.map(({ type }) => type)),
  });
  await using agent = await connect(taking);
  const session = await sessionWithTools(agent, cwd);
  expect(await describeImage(agent, session, new Uint8Array([1]))).toBe("end_turn");
  expect(received).toEqual(["files", "text", "image"]);
});

test("an agent that doesn't support images gets none", async () => {
  await using agent = await connect(words);
  const session = await agent.newSession({ cwd });
  expect(await describeImage(agent, session, new Uint8Array([1]))).toBe("This agent takes no images.");
});

test("a program that is not on the given PATH is an error that names the PATH", async () => {
  const transport = startFromDesktop("no-such-agent", "/nowhere", () => {});
  await expect(connectAgent(transport)).rejects.toMatchObject({
    cause: { message: expect.stringContaining("/nowhere") },
  });
});

test("every message can be printed", async () => {
  const lines: string[] = [];
  await using agent = await connectAndShow(linked(words), (line) => lines.push(line));
  await agent.newSession({ cwd });
  expect(lines.map((line) => line[0])).toEqual(["→", "←", "→", "←"]);
  expect(lines[0]).toContain('"method":"initialize"');
});

test.each([
  ["allow_once", "the cat"],
  ["reject_once", "teh cat"],
] as const)("an edit is a diff, and %s decides whether it is written", async (decision, text) => {
  let file = "teh cat";
  const shown: unknown[] = [];
  await using agent = await connect(editor, {
    permissions: async ({ toolCall }) => {
      shown.push(...(toolCall.content ?? []));
      return decision;
    },
    files: {
      readTextFile: async () => ({ content: file }),
      writeTextFile: async ({ content }) => {
        file = content;
        return {};
      },
    },
  });
  const session = await agent.newSession({ cwd });
  await session.prompt("/work/a.txt").result;
  expect(shown).toEqual([{ type: "diff", path: "/work/a.txt", oldText: "teh cat", newText: "the cat" }]);
  expect(file).toBe(text);
});
