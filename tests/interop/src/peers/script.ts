// The behaviour of every agent of these tests for each prompt, in terms of the schema and independent of any SDK. The
// file imports nothing of ours, so that third-party agents do not depend on our packages.

/** The updates of the prompt `everything`. */
export const everything = [
  { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Let me see." } },
  {
    sessionUpdate: "plan",
    entries: [
      { content: "Look", priority: "high", status: "completed" },
      { content: "Leap", priority: "low", status: "pending" },
    ],
  },
  {
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    title: "Edit a.ts",
    kind: "edit",
    status: "in_progress",
    content: [{ type: "diff", path: "/work/a.ts", oldText: "a", newText: "b\u2028c" }],
    locations: [{ path: "/work/a.ts", line: 3 }],
    rawInput: { path: "/work/a.ts" },
  },
  { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", rawOutput: ["done", 1, null] },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Voilà 🎉" } },
  { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "aGk=", mimeType: "image/png" } },
  {
    sessionUpdate: "agent_message_chunk",
    content: { type: "resource_link", uri: "file:///work/a.ts", name: "a.ts", size: 3 },
  },
  {
    sessionUpdate: "agent_message_chunk",
    content: { type: "resource", resource: { uri: "file:///work/b.ts", text: "b", mimeType: "text/plain" } },
  },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "help", description: "Helps", input: { hint: "topic" } }],
  },
  { sessionUpdate: "current_mode_update", currentModeId: "code" },
] as const;

/** The history that is replayed by loading the session `old`. */
export const history = [
  { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Hello" } },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Good day" } },
  { sessionUpdate: "tool_call", toolCallId: "t0", title: "Remember", status: "completed" },
] as const;

export const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

export const permissionOptions = [
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
] as const;

export const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
} as const;

export const page = { elicitationId: "e1", url: "https://example.com/login", message: "Log in" } as const;

/** The operations that a turn needs. Each agent implements them with its SDK. */
export interface Stage {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  update(update: object): Promise<void> | undefined | void;
  /** The chosen option, or `cancelled`. */
  askPermission(toolCallId: string): Promise<string>;
  readTextFile(params: { path: string; line?: number; limit?: number }): Promise<{ content: string }>;
  writeTextFile(params: { path: string; content: string }): Promise<unknown>;
  createTerminal(params: { command: string; args?: string[] }): Promise<{
    output(): Promise<{ output: string; truncated: boolean }>;
    waitForExit(): Promise<{ exitCode?: number | null; signal?: string | null }>;
    kill(): Promise<unknown>;
    release(): Promise<unknown>;
  }>;
  elicit?(params: object): Promise<{ action: string; content?: unknown }>;
  completeElicitation?(elicitationId: string): Promise<void> | undefined;
  extension(method: string, params: object): Promise<unknown>;
  refuse(code: number, message: string, data: unknown): Error;
}

/** Runs the turn of a prompt. */
export async function play(stage: Stage, prompt: string): Promise<"end_turn" | "refusal" | "cancelled"> {
  const [word = "", ...words] = prompt.split(" ");
  const say = (text: string): Promise<void> | undefined | void =>
    stage.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  switch (word) {
    case "say":
      await say(words.join(" "));
      return "end_turn";
    case "everything":
      for (const update of everything) await stage.update(update);
      return "end_turn";
    case "ask":
      await stage.update({ sessionUpdate: "tool_call", toolCallId: "ask", title: "May I?", status: "pending" });
      await say(await stage.askPermission("ask"));
      return "end_turn";
    case "read":
      await say((await stage.readTextFile({ path: words[0] ?? "", line: 2, limit: 1 })).content);
      return "end_turn";
    case "write":
      await stage.writeTextFile({ path: words[0] ?? "", content: words.slice(1).join(" ") });
      await say("written");
      return "end_turn";
    case "run": {
      const terminal = await stage.createTerminal({ command: words[0] ?? "", args: words.slice(1) });
      await stage.update({
        sessionUpdate: "tool_call",
        toolCallId: "run",
        title: "Run",
        content: [{ type: "terminal", terminalId: "terminal-1" }],
      });
      const { exitCode } = await terminal.waitForExit();
      const { output } = await terminal.output();
      await terminal.kill();
      await terminal.release();
      await say(`${exitCode}: ${output}`);
      return "end_turn";
    }
    case "form": {
      const answer = await stage.elicit?.({ mode: "form", ...form });
      await say(JSON.stringify(answer));
      return "end_turn";
    }
    case "page": {
      const answer = await stage.elicit?.({ mode: "url", ...page });
      await stage.completeElicitation?.(page.elicitationId);
      await say(JSON.stringify(answer));
      return "end_turn";
    }
    case "extension":
      await say(JSON.stringify(await stage.extension("_example.com/echo", { n: 1 })));
      return "end_turn";
    case "refuse":
      throw stage.refuse(1234, "On holiday", { until: "Monday" });
    case "die":
      await say("dying");
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
      return "end_turn";
    case "wait":
      await say("waiting");
      if (!stage.signal.aborted) {
        await new Promise((resolve) => stage.signal.addEventListener("abort", resolve, { once: true }));
      }
      await say("stopped");
      return "cancelled";
    default:
      return "refusal";
  }
}
