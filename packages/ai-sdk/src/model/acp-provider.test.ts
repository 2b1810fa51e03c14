import type { AgentDefinition, Turn } from "@acp-kit/agent";
import { diff } from "@acp-kit/agent";
import { type ConnectAgentOptions, connectAgent, type Session } from "@acp-kit/client";
import { generateText, jsonSchema, streamText, type TextStreamPart, type ToolSet, tool } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { served, signal } from "../../test/connect.js";
import { acpModel } from "./acp-model.js";
import { type AcpProvider, type AcpProviderOptions, acpProvider } from "./acp-provider.js";
import { ask } from "./model.examples.js";

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }); // otherwise `ai` writes warnings to the console

const open: AcpProvider[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

interface Received {
  readonly prompts: string[][];
  readonly sessions: string[];
}

/** An agent that runs `turn` for each prompt, and the prompts that it received. */
function agent(prompt: AgentDefinition["prompt"], more: Partial<AgentDefinition> = {}): [AgentDefinition, Received] {
  const received: Received = { prompts: [], sessions: [] };
  const definition: AgentDefinition = {
    info: { name: "test", version: "1" },
    newSession: () => {
      const sessionId = `s${received.sessions.length + 1}`;
      received.sessions.push(sessionId);
      return { sessionId };
    },
    prompt: async (turn, context) => {
      received.prompts.push(turn.prompt.map((block) => (block as { text?: string }).text ?? block.type));
      return prompt(turn, context);
    },
    ...more,
  };
  return [definition, received];
}

function provider(definition: AgentDefinition, options: Partial<AcpProviderOptions> = {}): AcpProvider {
  const made = acpProvider(served(definition), { cwd: "/work", ...options });
  open.push(made);
  return made;
}

async function partsOf(stream: AsyncIterable<TextStreamPart<ToolSet>>): Promise<TextStreamPart<ToolSet>[]> {
  const parts: TextStreamPart<ToolSet>[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const hello = async (turn: Turn) => void (await turn.message(`Hello, ${turn.text}`));

describe("an agent as a model", () => {
  test("streams thoughts and texts, with one part for each message", async () => {
    const [definition] = agent(async (turn) => {
      await turn.thought("Hm.");
      const text = turn.messageStream();
      await text.write("Hello ");
      await text.write("there");
      await turn.messageStream().write("Bye");
    });
    const { fullStream } = streamText({ model: provider(definition)(), prompt: "Hi" });
    const parts = await partsOf(fullStream);
    const texts = parts.flatMap((part) => ("text" in part ? [`${part.type} ${part.id} ${part.text}`] : []));
    expect(texts).toEqual([
      "reasoning-delta reasoning-1 Hm.",
      "text-delta text-2 Hello ",
      "text-delta text-2 there",
      "text-delta text-3 Bye",
    ]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  });

  test("shows the agent's tool calls as calls that the provider ran", async () => {
    const [definition] = agent(async (turn) => {
      const call = turn.toolCall({ toolCallId: "c1", name: "edit_file", title: "Edit a", kind: "edit" });
      await call.update({ status: "in_progress", rawInput: { path: "/a" } });
      await call.add("half");
      await call.complete({ content: [diff({ path: "/a", newText: "new" })], rawOutput: { ok: true } });
      const mode = turn.toolCall({ toolCallId: "c2", title: "Plan mode", kind: "switch_mode" });
      await mode.fail("No such mode");
    });
    const { fullStream, steps } = streamText({ model: provider(definition)(), prompt: "Hi" });
    const parts = await partsOf(fullStream);
    expect(parts.filter(({ type }) => type.startsWith("tool-"))).toMatchObject([
      {
        type: "tool-input-start",
        id: "c1",
        toolName: "edit_file",
        providerExecuted: true,
        dynamic: true,
      },
      { type: "tool-input-delta", id: "c1" },
      { type: "tool-input-end", id: "c1" },
      {
        type: "tool-call",
        toolCallId: "c1",
        input: { path: "/a" },
        providerExecuted: true,
        dynamic: true,
        providerMetadata: { acp: { title: "Edit a", kind: "edit" } },
      },
      {
        type: "tool-result",
        toolCallId: "c1",
        output: { content: [{ type: "diff", path: "/a", newText: "new" }], output: { ok: true } },
      },
      { type: "tool-input-start", id: "c2", toolName: "switchMode" },
      { type: "tool-input-delta", id: "c2" },
      { type: "tool-input-end", id: "c2" },
      { type: "tool-call", toolCallId: "c2" },
      { type: "tool-error", toolCallId: "c2" },
    ]);
    expect(await steps).toHaveLength(1);
    expect(JSON.stringify(parts)).not.toMatch(/in_progress|switch_mode|tool_call/);
  });

  test("permissions.known-input: the input and the title of a call are final when it runs, and an empty input hides no other", async () => {
    const [definition] = agent(async (turn) => {
      const call = turn.toolCall({ toolCallId: "c1", name: "bash", title: "Ba", rawInput: {}, status: "pending" });
      await call.update({ rawInput: { command: "rm" } });
      await call.update({ rawInput: { command: "rm -r build" }, title: "Bash" });
      await call.update({ rawInput: {} });
      await call.update({ status: "in_progress" });
      await call.complete({ rawInput: {} });
      const late = turn.toolCall({
        toolCallId: "c2",
        name: "bash",
        title: "Bash",
        status: "in_progress",
        rawInput: {},
      });
      await late.update({ rawInput: { command: "ls" } });
      await late.complete({});
    });
    const { fullStream } = streamText({ model: provider(definition)(), prompt: "Hi" });
    expect((await partsOf(fullStream)).filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "c1", input: { command: "rm -r build" }, providerMetadata: { acp: { title: "Bash" } } },
      { toolCallId: "c2", input: { command: "ls" } },
    ]);
  });

  const meta = (name: string, members: object) => ({ _meta: { [name]: { terminal_id: "x", ...members } } });

  test.each(["terminal_output", "terminal_output_delta"])(
    "the result of a call has the output of its terminal, which the agent sends in %s",
    async (name) => {
      const [definition] = agent(async (turn) => {
        const call = turn.toolCall({
          toolCallId: "c1",
          title: "ls",
          kind: "execute",
          ...meta("terminal_info", { cwd: "/a" }),
        });
        await call.add({ type: "terminal", terminalId: "x" });
        for (const data of ["notes.md\n", "b\n"]) await call.update(meta(name, { data }));
        await call.complete(meta("terminal_exit", { exit_code: 0 }));
        const read = turn.toolCall({ toolCallId: "c2", title: "cat", kind: "read" });
        await read.update({ _meta: { [name]: { data: "text" } } }); // a call that shows no terminal
        await read.complete();
      });
      const parts = await partsOf(streamText({ model: provider(definition)(), prompt: "Hi" }).fullStream);
      const results = parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
      expect(results).toEqual([
        { content: [{ type: "terminal", terminalId: "x", cwd: "/a", output: "notes.md\nb\n", exit: { exitCode: 0 } }] },
        { content: [{ type: "terminal", terminalId: "c2", output: "text" }] },
      ]);
    },
  );

  test("the result of a call has the output of a terminal of the client; without transcripts it has the terminal's id", async () => {
    const terminals: ConnectAgentOptions["terminals"] = {
      createTerminal: async () => ({ terminalId: "x" }),
      terminalOutput: async () => ({ output: "notes.md\n", truncated: false, exitStatus: { exitCode: 0 } }),
      waitForTerminalExit: async () => ({ exitCode: 0 }),
      killTerminal: async () => ({}),
      releaseTerminal: async () => ({}),
    };
    const [definition] = agent(async (turn) => {
      const call = turn.toolCall({ toolCallId: "c1", title: "ls", kind: "execute" });
      await using terminal = await call.terminal({ command: "ls", args: ["-a"] });
      await terminal.output();
      await call.complete();
    });
    const outputOf = async (options: Partial<AcpProviderOptions>): Promise<unknown> => {
      const model = provider(definition, { terminals, ...options })();
      const parts = await partsOf(streamText({ model, prompt: "Hi" }).fullStream);
      return parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))[0];
    };
    const shown = { type: "terminal", terminalId: "x", command: "ls -a", output: "notes.md\n", exit: { exitCode: 0 } };
    expect(await outputOf({})).toEqual({ content: [shown] });
    expect(await outputOf({ transcript: false })).toEqual({ content: [{ type: "terminal", terminalId: "x" }] });
  });

  test("embedded and unknown text is a text of its own, and no delta has half a character", async () => {
    const [definition] = agent(async (turn) => {
      const say = (content: object) => turn.message(content as never, { messageId: "m" });
      await say({ type: "text", text: "Deployed \ud83d", annotations: {} });
      await say({ type: "text", text: "\ude80", annotations: {} });
      await say({ type: "resource", resource: { uri: "file:///a", text: "# A" } });
      await say({ type: "text", text: "done" });
      await say({ type: "citation", text: "quoted" });
    });
    const parts = await partsOf(streamText({ model: provider(definition)(), prompt: "Hi" }).fullStream);
    const texts = parts.flatMap((part) => (part.type === "text-delta" ? [`${part.id} ${part.text}`] : []));
    expect(texts).toEqual(["text-1 Deployed ", "text-1 \u{1f680}", "text-2 # A", "text-3 done", "text-4 quoted"]);
  });

  test("ends tool calls that the agent did not end with an error", async () => {
    const [definition] = agent(async (turn) => {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "Endless", status: "in_progress" });
    });
    const parts = await partsOf(streamText({ model: provider(definition)(), prompt: "Hi" }).fullStream);
    expect(parts.some((part) => part.type === "tool-error" && part.toolCallId === "c1")).toBe(true);
  });

  test("ignores an update of a tool call that has ended", async () => {
    const [definition] = agent(async (turn) => {
      const call = turn.toolCall({ toolCallId: "c1", title: "Read a", kind: "read" });
      await call.complete({ rawOutput: "text" });
      await call.update({ _meta: { hook: true } });
    });
    const parts = await partsOf(streamText({ model: provider(definition)(), prompt: "Hi" }).fullStream);
    expect(parts.map(({ type }) => type).filter((type) => type.startsWith("tool-"))).toEqual([
      "tool-input-start",
      "tool-input-delta",
      "tool-input-end",
      "tool-call",
      "tool-result",
    ]);
  });

  test("converts files and links to files and sources", async () => {
    const [definition] = agent(async (turn) => {
      await turn.message({ type: "image", data: "aGk=", mimeType: "image/png" });
      await turn.message({ type: "resource_link", uri: "https://example.com/a", name: "A" });
    });
    const { files, sources } = await generateText({ model: provider(definition)(), prompt: "Hi" });
    expect(files).toMatchObject([{ mediaType: "image/png", base64: "aGk=" }]);
    expect(sources).toMatchObject([{ url: "https://example.com/a", title: "A" }]);
  });

  test("reports the stop reason, the session, and the number of tokens if known", async () => {
    for (const [stopReason, finishReason] of [
      ["end_turn", "stop"],
      ["max_tokens", "length"],
      ["refusal", "content-filter"],
      ["max_turn_requests", "other"],
    ] as const) {
      const [definition] = agent(async (turn) => {
        await turn.usage({ used: 20, size: 100 });
        return { stopReason, _meta: { "ai-sdk": { usage: { inputTokens: 12, outputTokens: 3 } } } };
      });
      const result = await generateText({ model: provider(definition)(), prompt: "Hi" });
      expect(result.finishReason).toBe(finishReason);
      expect(result.providerMetadata).toEqual({ acp: { sessionId: "s1" } });
      expect(result.usage).toMatchObject({ inputTokens: 12, outputTokens: 3, raw: { used: 20, size: 100 } });
    }
  });

  test("warns about options that an agent doesn't support", async () => {
    const [definition] = agent(hello);
    const tools = { look: tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: async () => "" }) };
    const { warnings } = await generateText({ model: provider(definition)(), prompt: "Hi", temperature: 0, tools });
    expect(warnings).toMatchObject([
      { type: "unsupported", feature: "temperature" },
      { type: "unsupported", feature: "tools" },
    ]);
  });

  test("causes an error of the stream, or of the call, when the agent fails", async () => {
    const [definition] = agent(async () => {
      throw new Error("secret");
    });
    const model = provider(definition)();
    await expect(generateText({ model, prompt: "Hi" })).rejects.toThrow(/Internal error/);
    const parts = await partsOf(streamText({ model, prompt: "Hi", onError: () => {} }).fullStream);
    expect(parts.find(({ type }) => type === "error")).toBeDefined();
  });

  test("works with any session that is open", async () => {
    const [definition] = agent(hello);
    await using client = await connectAgent(served(definition));
    const session: Session = await client.newSession({ cwd: "/work" });
    expect((await generateText({ model: acpModel(session), prompt: "you" })).text).toBe("Hello, you");
  });
});

describe("sessions", () => {
  test("belong to a model, which sends only new messages", async () => {
    const [definition, { prompts, sessions }] = agent(hello);
    const model = provider(definition)();
    await generateText({ model, system: "Be kind.", prompt: "one" });
    await generateText({
      model,
      system: "Be kind.",
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "Hello, one" },
        { role: "user", content: "two" },
      ],
    });
    expect(prompts).toEqual([["Be kind.", "one"], ["two"]]);
    expect(sessions).toEqual(["s1"]);
  });

  test("are separate for each model, and a new session gets the earlier conversation", async () => {
    const [definition, { prompts, sessions }] = agent(hello);
    const make = provider(definition);
    await generateText({ model: make(), prompt: "one" });
    await generateText({
      model: make(),
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "Hello, one" },
        { role: "user", content: "two" },
      ],
    });
    expect(sessions).toEqual(["s1", "s2"]);
    expect(prompts[1]).toEqual(["The conversation so far:\n\nUser: one\n\nYou: Hello, one", "two"]);
  });

  test("that are saved can be continued by their id", async () => {
    const [definition, { prompts, sessions }] = agent(hello, { resumeSession: () => {} });
    const model = provider(definition)();
    await generateText({ model, system: "S", prompt: "again", providerOptions: { acp: { sessionId: "old" } } });
    expect(sessions).toEqual([]);
    expect(prompts).toEqual([["again"]]);
  });

  test("of a model can be named in a later call, which sends only new messages", async () => {
    const [definition, { prompts, sessions }] = agent(hello);
    const make = provider(definition);
    const { providerMetadata } = await generateText({ model: make(), prompt: "one" });
    const messages = [
      { role: "user" as const, content: "one" },
      { role: "assistant" as const, content: "Hello, one" },
      { role: "user" as const, content: "two" },
    ];
    const acp = { sessionId: String(providerMetadata?.acp?.sessionId) };
    await generateText({ model: make(), messages, providerOptions: { acp } });
    expect(prompts).toEqual([["one"], ["two"]]);
    expect(sessions).toEqual(["s1"]);
  });

  test("use the model of each call, and are not opened again if the agent refuses a model", async () => {
    const set: string[] = [];
    const choices = ["small", "large"].map((value) => ({ value, name: value }));
    const models = { type: "select" as const, id: "m", category: "model", name: "Model", currentValue: "small" };
    const [definition, { sessions }] = agent(hello, {
      newSession: () => {
        const sessionId = `s${sessions.length + 1}`;
        sessions.push(sessionId);
        return { sessionId, configOptions: [{ ...models, options: choices }] };
      },
      setSessionConfigOption: ({ value }) => void set.push(String(value)),
    });
    const make = provider(definition);
    const first = await generateText({ model: make("large"), prompt: "one" });
    const providerOptions = { acp: { sessionId: String(first.providerMetadata?.acp?.sessionId) } };
    for (const id of ["small", "small", "large"]) {
      await generateText({ model: make(id), prompt: "more", providerOptions });
    }
    expect(set).toEqual(["large", "small", "large"]);
    const unknown = make("huge");
    for (const prompt of ["one", "two"]) {
      await expect(generateText({ model: unknown, prompt })).rejects.toThrow(TypeError);
    }
    expect(sessions).toEqual(["s1", "s2"]); // the own session of each of two models
  });

  test("use the model with the id of the AI SDK's model if the agent offers models", async () => {
    const set: string[] = [];
    const models = {
      type: "select" as const,
      id: "m",
      category: "model",
      name: "Model",
      currentValue: "small",
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    };
    const [definition] = agent(hello, {
      newSession: () => ({ sessionId: "s1", configOptions: [models] }),
      setSessionConfigOption: ({ value }) => void set.push(String(value)),
    });
    const make = provider(definition);
    await generateText({ model: make("large"), prompt: "one" });
    expect(set).toEqual(["large"]);
    await expect(generateText({ model: make("huge"), prompt: "one" })).rejects.toThrow(TypeError);
  });
});

describe("permissions", () => {
  const asking = agent(async (turn) => {
    const call = turn.toolCall({ title: "Edit", kind: "edit" });
    await turn.message((await turn.permit(call)).allowed ? "allowed" : "not allowed");
    await call.complete();
  })[0];

  test("are decided by the policy, and denied without one", async () => {
    const allowed = provider(asking, { permissions: async () => "allow_once" });
    expect((await generateText({ model: allowed(), prompt: "Hi" })).text).toBe("allowed");
    expect((await generateText({ model: provider(asking)(), prompt: "Hi" })).text).toBe("not allowed");
  });
});

describe("ending", () => {
  const endless = (started: () => void, stopped: () => void): AgentDefinition => {
    const [definition] = agent(async (turn) => {
      await turn.message("Working");
      started();
      await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
      stopped();
    });
    return definition;
  };

  test("by abortSignal cancels the turn", async () => {
    const controller = new AbortController();
    let stop = (): void => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const definition = endless(
      () => controller.abort(),
      () => stop(),
    );
    const model = provider(definition)();
    const parts = await partsOf(streamText({ model, prompt: "Hi", abortSignal: controller.signal }).fullStream);
    expect(parts.at(-1)).toMatchObject({ type: "abort" });
    await stopped;
  });

  test("by abortSignal rejects generateText with the reason", async () => {
    const controller = new AbortController();
    const definition = endless(
      () => controller.abort(new Error("enough")),
      () => {},
    );
    const generated = generateText({ model: provider(definition)(), prompt: "Hi", abortSignal: controller.signal });
    await expect(generated).rejects.toThrow("enough");
  });

  test("by reading no further cancels the turn", async () => {
    await new Promise<void>((stopped) => {
      const definition = endless(() => {}, stopped);
      const model = provider(definition)();
      void model
        .doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] })
        .then(async ({ stream }) => {
          for await (const part of stream) if (part.type === "text-delta") break;
        });
    });
  });

  test("by cancelling the stream cancels the turn, also while the agent is silent", async () => {
    const { happened: stopped, happen: stop } = signal();
    const { stream } = await provider(endless(() => {}, stop))().doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    });
    const reader = stream.getReader();
    while ((await reader.read()).value?.type !== "text-delta");
    const next = reader.read();
    await new Promise(setImmediate); // the stream now waits for the next update
    await reader.cancel();
    await stopped;
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("by close() of the provider closes the connection, and later calls reject", async () => {
    const [definition] = agent(hello);
    const made = provider(definition);
    const connection = await made.connection;
    await made.close();
    await made.close();
    await connection.closed;
    await expect(generateText({ model: made(), prompt: "Hi", maxRetries: 0 })).rejects.toThrow();
  });

  test("has no embeddings and images", () => {
    const made = provider(agent(hello)[0]);
    expect(() => made.embeddingModel("x")).toThrow(/embeddingModel/);
    expect(() => made.imageModel("x")).toThrow(/imageModel/);
  });
});

test("the example of the README shows and counts", async () => {
  const [definition] = agent(async (turn) => {
    await turn.toolCall({ name: "read_file", title: "Read", kind: "read" }).complete();
    await turn.message("It is fine");
  });
  let shown = "";
  const tools = await ask(served(definition), "Is it?", (text) => {
    shown += text;
  });
  expect(shown).toBe("It is fine");
  expect(tools).toEqual(["read_file"]);
});

test("a session whose first prompt failed gets the whole conversation with the next prompt", async () => {
  let fails = true;
  const [definition, { prompts }] = agent(async (turn) => {
    if (fails) throw new Error("not yet");
    await turn.message("Now");
  });
  const model = provider(definition)();
  await expect(generateText({ model, system: "S", prompt: "one" })).rejects.toThrow();
  fails = false;
  await generateText({ model, system: "S", prompt: "two" });
  expect(prompts).toEqual([
    ["S", "one"],
    ["S", "two"],
  ]);
});
