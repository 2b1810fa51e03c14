import { type AgentDefinition, diff } from "@acp-kit/agent";
import { acceptSystemPrompt } from "@acp-kit/agent/unstable";
import { systemPrompt } from "@acp-kit/client/unstable";
import type { RequestPermissionRequest } from "@acp-kit/types";
import { jsonSchema, type Tool, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test, vi } from "vitest";
import { answering, connect, lines, play, signal } from "../../test/connect.js";
import { calls, finish, says, scriptedModel, thinks } from "../../test/scripted-model.js";
import type { ModelStreamPart } from "../model/model-types.js";
import { type AiSdkAgentOptions, aiSdkAgent } from "./ai-sdk-agent.js";
import type { HistoryEntry } from "./model-messages.js";

const info = { name: "test", version: "1" };
const schema = jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } });

const read: Tool<{ path: string }, string> = tool({
  inputSchema: schema,
  execute: async ({ path }) => `content of ${path}`,
});
const edit: Tool<{ path: string }, string> = tool({
  inputSchema: schema,
  needsApproval: true,
  execute: async ({ path }) => `edited ${path}`,
});

const agent = (options: Omit<AiSdkAgentOptions, "info">) => aiSdkAgent({ info, ...options });

describe("a turn", () => {
  test("sends each text and each thought of the model as a message", async () => {
    const { model } = scriptedModel([...thinks("Hm."), ...says("Hello there", "1"), ...says("Bye", "2"), finish()]);
    const { session } = await connect(agent({ model }));
    const { updates, stopReason } = await play(session, "Hi");
    expect(lines(updates)).toEqual(["thinks Hm.", "says Hello ", "says there", "says Bye"]);
    const ids = updates.map((update) => (update as { messageId?: string }).messageId);
    expect(ids[1]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(3);
    expect(stopReason).toBe("end_turn");
  });

  test("[PROMPT] ends with the model's finish reason", async () => {
    for (const [reason, stopReason] of [
      ["stop", "end_turn"],
      ["length", "max_tokens"],
      ["content-filter", "refusal"],
      ["other", "end_turn"],
    ] as const) {
      const { session } = await connect(agent({ model: scriptedModel([...says("x"), finish(reason)]).model }));
      expect(await play(session, "Hi")).toMatchObject({ stopReason });
    }
  });

  test("[TOOL] runs a tool with the statuses pending, in_progress and completed, and calls the model again", async () => {
    const { model, prompts } = scriptedModel(
      [...calls("c1", "read_file", { path: "/a" }), finish("tool-calls")],
      [...says("Done"), finish()],
    );
    const { session } = await connect(agent({ model, tools: { read_file: read } }));
    const { updates } = await play(session, "Read");
    expect(lines(updates)).toEqual([
      "tool_call c1 pending",
      "tool_call_update c1 in_progress",
      'tool_call_update c1 completed "content of /a"',
      "says Done",
    ]);
    expect(updates[0]).toMatchObject({ name: "read_file", title: "read_file", kind: "read" });
    expect(updates[1]).toMatchObject({ rawInput: { path: "/a" } });
    expect(updates[2]).toMatchObject({
      content: [{ type: "content", content: { type: "text", text: "content of /a" } }],
    });
    expect(prompts[1]?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("ends as max_turn_requests at the step limit", async () => {
    const step = (id: string) => [...calls(id, "read_file", { path: "/a" }), finish("tool-calls")];
    const { model } = scriptedModel(step("c1"), step("c2"), step("c3"));
    const { session } = await connect(agent({ model, tools: { read_file: read }, maxSteps: 2 }));
    expect(await play(session, "Read")).toMatchObject({ stopReason: "max_turn_requests" });
  });

  test("fails a call whose tool throws, and sends the model the reason", async () => {
    const broken = tool({
      inputSchema: schema,
      execute: async (): Promise<string> => {
        throw new Error("No such file");
      },
    });
    const { model, prompts } = scriptedModel(
      [...calls("c1", "read_file", { path: "/a" }), finish("tool-calls")],
      [...says("Sorry"), finish()],
    );
    const { session } = await connect(agent({ model, tools: { read_file: broken } }));
    const { updates } = await play(session, "Read");
    expect(updates.find((update) => (update as { status?: string }).status === "failed")).toMatchObject({
      content: [{ content: { text: "No such file" } }],
    });
    expect(JSON.stringify(prompts[1])).toContain("No such file");
  });

  test("shows preliminary outputs while a tool runs", async () => {
    const slow = tool({
      inputSchema: schema,
      async *execute() {
        yield "half";
        yield "whole";
      },
    });
    const { model } = scriptedModel(
      [...calls("c1", "bash", { path: "/a" }), finish("tool-calls")],
      [...says("Done"), finish()],
    );
    const { session } = await connect(agent({ model, tools: { bash: slow } }));
    const { updates } = await play(session, "Run");
    expect(lines(updates).filter((line) => line.includes("c1"))).toEqual([
      "tool_call c1 pending",
      "tool_call_update c1 in_progress",
      'tool_call_update c1 in_progress "half"',
      'tool_call_update c1 in_progress "whole"',
      'tool_call_update c1 completed "whole"',
    ]);
    expect(updates.at(-2)).toMatchObject({ content: [{ content: { text: "whole" } }] });
  });

  test("[USAGE] sends the used part of the context, and the tokens of the turn", async () => {
    const { model } = scriptedModel([...says("x"), finish()]);
    const { session } = await connect(agent({ model, contextWindow: 1000 }));
    const { updates, _meta } = await play(session, "Hi");
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: "usage_update", used: 15, size: 1000 });
    expect(_meta).toMatchObject({ "ai-sdk": { usage: { inputTokens: 10, outputTokens: 5 } } });
  });

  test("responds to an error of the model with an error whose message the application chooses", async () => {
    const failing = () => scriptedModel([{ type: "error", error: new Error("401: key sk-123") }, finish("error")]);
    const quiet = await connect(agent({ model: failing().model }));
    await expect(quiet.session.prompt("Hi").result).rejects.toThrow(expect.not.stringContaining("sk-123"));
    expect(quiet.diagnostics.some(({ cause }) => String(cause).includes("401"))).toBe(true);
    const telling = await connect(agent({ model: failing().model, errorText: () => "The key was refused" }));
    await expect(telling.session.prompt("Hi").result).rejects.toThrow("The key was refused");
  });

  test("writes nothing to the console", async () => {
    const error = vi.spyOn(console, "error");
    const { session } = await connect(agent({ model: scriptedModel().model, settings: { maxRetries: 0 } }));
    await expect(session.prompt("Hi").result).rejects.toThrow();
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
  });
});

describe("views and contexts", () => {
  test("show a call before the permission request, and keep their content", async () => {
    const { model } = scriptedModel(
      [...calls("c1", "edit_file", { path: "/work/a" }), finish("tool-calls")],
      [...says("Done"), finish()],
    );
    const allowed = answering("allow_once");
    const views = {
      edit_file: {
        input: ({ path }: { path: string }) => ({
          title: `Edit ${path}`,
          locations: [{ path }],
          content: [diff({ path, newText: "new" })],
        }),
      },
    };
    const { session } = await connect(agent({ model, tools: { edit_file: edit }, views }), allowed);
    const { updates } = await play(session, "Edit");
    expect(allowed.asked[0]?.toolCall).toMatchObject({ title: "Edit /work/a", locations: [{ path: "/work/a" }] });
    expect(updates[1]).toMatchObject({ content: [{ type: "diff", newText: "new" }] });
    const last = updates.findLast((update) => (update as { status?: string }).status === "completed");
    expect(last).not.toHaveProperty("content");
  });

  test("cause no permission request for an invalid input, which fails the call and is sent to the model", async () => {
    const { model, prompts } = scriptedModel(
      [
        ...calls("c1", "edit_file", {}).slice(0, 3),
        { type: "tool-call", toolCallId: "c1", toolName: "edit_file", input: "{" },
        finish("tool-calls"),
      ],
      [...says("Sorry"), finish()],
    );
    const views = { edit_file: { input: ({ path }: { path: string }) => ({ title: path.toUpperCase() }) } };
    const { session } = await connect(agent({ model, tools: { edit_file: edit }, views }));
    const { updates, stopReason } = await play(session, "Edit");
    expect(lines(updates).slice(-2)).toEqual(["tool_call_update c1 failed", "says Sorry"]);
    expect(stopReason).toBe("end_turn");
    expect(JSON.stringify(prompts[1])).toContain("Invalid input");
  });

  test("give a tool the turn, the session and its own call", async () => {
    const { model } = scriptedModel(
      [...calls("c1", "look", { path: "/a" }), finish("tool-calls")],
      [...says("Done"), finish()],
    );
    const { session } = await connect(
      agent({
        model,
        tools: ({ turn, session: { cwd }, toolCall }) => ({
          look: tool({
            inputSchema: schema,
            execute: async (_, { toolCallId }) => {
              await (await toolCall(toolCallId)).add("Looking");
              return `${cwd} ${turn.text}`;
            },
          }),
        }),
      }),
    );
    const { updates } = await play(session, "Go");
    expect(lines(updates)).toContain('tool_call_update c1 completed "/work Go"');
    expect(JSON.stringify(updates)).toContain("Looking");
  });
});

describe("tools with needsApproval", () => {
  const script = () =>
    scriptedModel([...calls("c1", "edit_file", { path: "/a" }), finish("tool-calls")], [...says("Done"), finish()]);

  test("[PERM] request permission, run the tool and continue", async () => {
    const { model, prompts } = script();
    const allowed = answering("allow_once");
    const { session } = await connect(agent({ model, tools: { edit_file: edit } }), allowed);
    const { updates, stopReason } = await play(session, "Edit");
    expect(lines(updates)).toEqual([
      "tool_call c1 pending",
      "tool_call_update c1",
      "tool_call_update c1 in_progress",
      'tool_call_update c1 completed "edited /a"',
      "says Done",
    ]);
    expect(allowed.asked.map(({ options }) => options.map(({ kind }) => kind))).toEqual([
      ["allow_once", "allow_always", "reject_once", "reject_always"],
    ]);
    expect(stopReason).toBe("end_turn");
    expect(JSON.stringify(prompts[1])).toContain("edited /a");
  });

  test("fail when the user rejects, and the model gets the rejection", async () => {
    const { model, prompts } = script();
    const { session } = await connect(agent({ model, tools: { edit_file: edit } }), answering("reject_once"));
    const { updates } = await play(session, "Edit");
    expect(lines(updates).slice(-2)).toEqual(["tool_call_update c1 failed", "says Done"]);
    expect(JSON.stringify(prompts[1])).toContain("The user rejected the tool call");
  });

  test("request no permission again after an always", async () => {
    const step = (id: string) => [...calls(id, "edit_file", { path: "/a" }), finish("tool-calls")];
    const { model } = scriptedModel([...calls("c1", "edit_file", { path: "/a" }), ...step("c2")], step("c3"), [
      ...says("Done"),
      finish(),
    ]);
    const allowed = answering("allow_always");
    const { session } = await connect(agent({ model, tools: { edit_file: edit } }), allowed);
    const { updates } = await play(session, "Edit");
    expect(allowed.asked).toHaveLength(1);
    expect(lines(updates).filter((line) => line.includes("completed"))).toHaveLength(3);
  });

  test("request no permission if the policy decides", async () => {
    for (const [permission, status] of [
      ["allow", "completed"],
      ["reject", "failed"],
    ] as const) {
      const { model } = script();
      const asked = answering("allow_once");
      const { session } = await connect(agent({ model, tools: { edit_file: edit }, permission }), asked);
      const { updates } = await play(session, "Edit");
      expect(asked.asked).toEqual([]);
      expect(lines(updates).some((line) => line.includes(status))).toBe(true);
    }
  });
});

describe("a turn with approvals", () => {
  const asks = (id: string) => [...calls(id, "edit_file", { path: `/${id}` }), finish("tool-calls")];
  const completed = (updates: readonly object[]) =>
    updates.flatMap((update) => ((update as { status?: string }).status === "completed" ? [update] : []));

  test("[USAGE] counts the tokens of all of its streams", async () => {
    const { model } = scriptedModel(asks("a"), asks("b"), [...says("Done"), finish()]);
    const { session } = await connect(
      agent({ model, tools: { edit_file: edit }, contextWindow: 1000 }),
      answering("allow_once"),
    );
    const { updates, _meta } = await play(session, "Edit");
    expect(_meta).toMatchObject({ "ai-sdk": { usage: { inputTokens: 30, outputTokens: 15, totalTokens: 45 } } });
    // The used part of the context comes from the last call alone.
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === "usage_update")).toMatchObject([
      { used: 15 },
      { used: 15 },
      { used: 15 },
    ]);
    const { session: next } = await connect(agent({ model: scriptedModel([...says("x"), finish()]).model }));
    expect((await play(next, "Hi"))._meta).toMatchObject({ "ai-sdk": { usage: { inputTokens: 10 } } });
  });

  test("[USAGE] counts the tokens of the finished steps when it is cancelled", async () => {
    const { model } = scriptedModel(asks("a"), asks("b"), [...says("Done"), finish()]);
    const { session } = await connect(agent({ model, tools: { edit_file: edit } }), answering("allow_once"));
    let ran = 0;
    const played = await play(session, "Edit", (update, cancel) => {
      if ((update as { status?: string }).status === "completed" && ++ran === 2) cancel();
    });
    expect(played.stopReason).toBe("cancelled");
    expect(played._meta).toMatchObject({ "ai-sdk": { usage: { inputTokens: 20 } } });
  });

  test("runs tools that the user allowed in its last step, without another model call", async () => {
    const { model, prompts } = scriptedModel(asks("a"), asks("b"), asks("c"), [...says("Next turn"), finish()]);
    const allowed = answering("allow_once");
    const onFinish = vi.fn();
    const { session } = await connect(
      agent({ model, tools: { edit_file: edit }, maxSteps: 3, contextWindow: 1000, settings: { onFinish } }),
      allowed,
    );
    const { updates, stopReason, _meta } = await play(session, "Edit");
    expect(stopReason).toBe("max_turn_requests");
    expect(allowed.asked).toHaveLength(3);
    expect(completed(updates)).toMatchObject(["a", "b", "c"].map((id) => ({ rawOutput: `edited /${id}` })));
    expect(prompts).toHaveLength(3);
    expect(_meta).toMatchObject({ "ai-sdk": { usage: { inputTokens: 30 } } });
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === "usage_update")).toHaveLength(3);
    expect(onFinish).toHaveBeenCalledTimes(3);
    expect(lines((await play(session, "And now?")).updates)).toEqual(["says Next ", "says turn", "usage_update"]);
    expect(JSON.stringify(prompts[3])).toContain("edited /c");
  });

  test("runs no tool that the user rejected in its last step", async () => {
    const { model, prompts } = scriptedModel(asks("a"), [...says("Next turn"), finish()]);
    const { session } = await connect(
      agent({ model, tools: { edit_file: edit }, maxSteps: 1 }),
      answering("reject_once"),
    );
    const { updates, stopReason } = await play(session, "Edit");
    expect(stopReason).toBe("max_turn_requests");
    expect(lines(updates).at(-1)).toBe("tool_call_update a failed");
    await play(session, "And now?");
    expect(prompts).toHaveLength(2);
  });

  test("passes the steps of all its streams to the application's stopWhen and prepareStep", async () => {
    const { model, prompts } = scriptedModel(asks("a"), asks("b"), asks("c"));
    const numbers: [number, number][] = [];
    const settings: AiSdkAgentOptions["settings"] = {
      stopWhen: ({ steps }) => steps.length === 2,
      prepareStep: ({ stepNumber, steps }) => {
        numbers.push([stepNumber, steps.length]);
        return {};
      },
    };
    const { session } = await connect(agent({ model, tools: { edit_file: edit }, settings }), answering("allow_once"));
    const { updates, stopReason } = await play(session, "Edit");
    expect(numbers).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(prompts).toHaveLength(2);
    expect(completed(updates)).toHaveLength(2);
    expect(stopReason).toBe("end_turn");
  });

  test("has a step limit even if the application sets stopWhen", async () => {
    const step = (id: string) => [...calls(id, "read_file", { path: "/a" }), finish("tool-calls")];
    const { model } = scriptedModel(step("c1"), step("c2"), step("c3"));
    const settings = { stopWhen: () => false };
    const { session } = await connect(agent({ model, tools: { read_file: read }, maxSteps: 2, settings }));
    expect(await play(session, "Read")).toMatchObject({ stopReason: "max_turn_requests" });
  });
});

describe("cancellation", () => {
  test("stops the model and its tools, and the next turn of the model includes the results so far", async () => {
    let aborted = false;
    const endless = tool({
      inputSchema: schema,
      execute: (_, { abortSignal }) =>
        new Promise<string>((_resolve, reject) => {
          abortSignal?.addEventListener("abort", () => {
            aborted = true;
            reject(abortSignal.reason);
          });
        }),
    });
    const { model, prompts } = scriptedModel(
      [...says("Let me run it"), ...calls("c1", "bash", { path: "/a" }), finish("tool-calls")],
      [...says("Yes"), finish()],
    );
    const { session } = await connect(agent({ model, tools: { bash: endless } }));
    const { stopReason, updates } = await play(session, "Run", (update, cancel) => {
      if ((update as { status?: string }).status === "in_progress") cancel();
    });
    expect(stopReason).toBe("cancelled");
    expect(aborted).toBe(true);
    expect(lines(updates).at(-1)).toBe("tool_call_update c1 failed");
    await play(session, "Are you there?");
    expect(prompts[1]).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ text: "Let me run it" }, { type: "tool-call", toolCallId: "c1" }] },
      { role: "tool", content: [{ toolCallId: "c1", output: { type: "error-text" } }] },
      { role: "user", content: [{ text: "Are you there?" }] },
    ]);
  });

  test("during a permission request runs no tool, and leaves a valid conversation", async () => {
    const { model, prompts } = scriptedModel(
      [...calls("c1", "edit_file", { path: "/a" }), finish("tool-calls")],
      [...says("Yes"), finish()],
    );
    let cancel = (): void => {};
    const { session } = await connect(agent({ model, tools: { edit_file: edit } }), {
      permissions: (_request: RequestPermissionRequest | unknown, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve("cancelled"));
          cancel();
        }),
    });
    const { stopReason } = await play(session, "Edit", (_, stop) => {
      cancel = stop;
    });
    expect(stopReason).toBe("cancelled");
    expect(await play(session, "And now?")).toMatchObject({ stopReason: "end_turn" });
    expect(prompts[1]?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });
});

test("a turn that fails aborts its model", async () => {
  let signal: AbortSignal | undefined;
  const model = new MockLanguageModelV3({
    doStream: async ({ abortSignal }) => {
      signal = abortSignal;
      const parts: ModelStreamPart[] = calls("c1", "read_file", { path: "/a" });
      const start = (controller: ReadableStreamDefaultController<ModelStreamPart>): void => {
        for (const part of parts) controller.enqueue(part); // and no end
      };
      return { stream: new ReadableStream({ start }) };
    },
  });
  const broken = (): never => {
    throw new Error("no view");
  };
  const { session } = await connect(
    agent({ model, tools: { read_file: read }, views: { read_file: { input: broken } } }),
  );
  await expect(play(session, "Read")).rejects.toMatchObject({ code: -32603 });
  expect(signal?.aborted).toBe(true);
});

describe("sessions", () => {
  test("have a memory until they are closed", async () => {
    const { model, prompts } = scriptedModel([...says("One"), finish()], [...says("Two"), finish()]);
    const { session } = await connect(agent({ model, system: "Count." }));
    await play(session, "1");
    await play(session, "2");
    expect(prompts[1]).toMatchObject([
      { role: "system", content: "Count." },
      { role: "user", content: [{ text: "1" }] },
      { role: "assistant", content: [{ text: "One" }] },
      { role: "user", content: [{ text: "2" }] },
    ]);
    await session.close();
    await expect(session.prompt("3").result).rejects.toThrow("closed");
  });

  test.each([
    ["appends", systemPrompt("Use French."), "Count.\n\nUse French."],
    ["may replace", systemPrompt("Use French.", "override"), "Use French."],
  ])(
    "the client's instructions, which the agent %s to its own, are part of the system prompt",
    async (_, given, content) => {
      const { model, prompts } = scriptedModel([...says("Un"), finish()]);
      const definition = agent({ model, system: "Count.", unstable: [acceptSystemPrompt({ override: true })] });
      const { client } = await connect(definition);
      const session = await client.newSession({ cwd: "/", systemPrompt: given });
      await play(session, "1");
      expect(prompts[0]?.[0]).toEqual({ role: "system", content });
    },
  );

  test("are restored from their log", async () => {
    const { model, prompts } = scriptedModel([...says("Welcome back"), finish()]);
    const definition = agent({ model });
    const history: HistoryEntry[] = [
      { entry: { type: "prompt", prompt: [{ type: "text", text: "Hi" }] } },
      {
        entry: {
          type: "update",
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } },
        },
      },
      { entry: { type: "end" } },
    ];
    const { client } = await connect({
      ...definition,
      resumeSession: (request, context) =>
        definition.restore({ sessionId: request.sessionId, request, history }, context),
    });
    const session = await client.resumeSession({ cwd: "/work", sessionId: "before" });
    await play(session, "It's me");
    expect(prompts[0]?.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test.each([
    ["that another connection joins", false],
    ["that another connection joins after its own connection has ended", true],
  ])("keep the answer of a running turn %s", async (_, isLeft) => {
    const { model, prompts } = scriptedModel([...says("Hello Ada"), finish()], [...says("Ada"), finish()]);
    const [started, released, ended] = [signal(), signal(), signal()];
    const definition = agent({
      model: async () => {
        started.happen();
        await released.happened;
        return model;
      },
    });
    const joinable: AgentDefinition = {
      ...definition,
      keepTurns: true,
      resumeSession: (request, context) =>
        definition.restore({ sessionId: request.sessionId, request, history: [] }, context),
      prompt: async (turn, context) => {
        try {
          return await definition.prompt(turn, context);
        } finally {
          ended.happen();
        }
      },
    };
    const first = await connect(joinable);
    const { sessionId } = first.session;
    first.session.prompt("I am Ada").result.catch(() => {});
    await started.happened;
    if (isLeft) await first.client.close();
    const second = await (await connect(joinable)).client.resumeSession({ cwd: "/work", sessionId });
    released.happen();
    await ended.happened;
    await play(second, "Who am I?");
    expect(prompts[1]).toMatchObject([
      { role: "user", content: [{ text: "I am Ada" }] },
      { role: "assistant", content: [{ text: "Hello Ada" }] },
      { role: "user", content: [{ text: "Who am I?" }] },
    ]);
  });

  test("use the folders of the client that opened them last", async () => {
    const cwds: string[] = [];
    const { model } = scriptedModel([...says("One"), finish()]);
    const definition = agent({
      model: ({ session }) => {
        cwds.push(session.cwd);
        return model;
      },
    });
    const { client, session } = await connect({
      ...definition,
      resumeSession: (request, context) =>
        definition.restore({ sessionId: request.sessionId, request, history: [] }, context),
    });
    await client.resumeSession({ cwd: "/moved", sessionId: session.sessionId });
    await play(session, "1");
    expect(cwds).toEqual(["/moved"]);
  });

  test("can use a different model for each turn", async () => {
    const [one, two] = [scriptedModel([...says("One"), finish()]), scriptedModel([...says("Two"), finish()])];
    const { session } = await connect(
      agent({ model: ({ turn }) => (turn.text === "1" ? one.model : two.model), coalesceMs: 0 }),
    );
    expect(lines((await play(session, "1")).updates)).toEqual(["says One"]);
    expect(lines((await play(session, "2")).updates)).toEqual(["says Two"]);
  });
});
