import type { RecordingEntry } from "@acp-kit/testing/recording";
import { listOf, members, textOf } from "./members.js";

/** One prompt of a recording, and what the agent sent until its response. */
interface PlayedPrompt {
  readonly text: string;
  readonly steps: string[];
  stop: string;
}

/** The number of steps of a script. */
const MAX_STEPS = 5_000;

/**
 * The agent of a recording as a scripted test of `@acp-kit/testing`: its response to `initialize`, and for each prompt its updates,
 * permission requests and stop reason.
 */
export function recordingScript(entries: readonly RecordingEntry[]): string {
  const prompts = new Map<string, PlayedPrompt>();
  const played: PlayedPrompt[] = [];
  const open = new Map<string, PlayedPrompt>();
  let initializeId: string | undefined;
  let initialized: Readonly<Record<string, unknown>> = {};
  let steps = 0;
  const push = (prompt: PlayedPrompt | undefined, step: string): void => {
    if (prompt === undefined || steps >= MAX_STEPS) return;
    prompt.steps.push(step);
    steps += 1;
  };
  for (const entry of entries) {
    if (entry.kind !== "message" || entry.leftOut) continue;
    const { id, method, params, result, error } = members(entry.message);
    const key = JSON.stringify(id);
    const session = textOf(params, "sessionId") ?? "";
    if (entry.from === "client") {
      if (method === "initialize") initializeId = key;
      if (method !== "session/prompt") continue;
      const text = listOf(params, "prompt")
        .map((block) => textOf(block, "text") ?? "")
        .join("");
      const prompt = { text, steps: [], stop: "" };
      open.set(key, prompt);
      prompts.set(session, prompt);
      played.push(prompt);
    } else if (method === "session/update") push(prompts.get(session), `turn.update(${code(members(params).update)});`);
    else if (method === "session/request_permission") {
      const { toolCall, options } = members(params);
      push(
        prompts.get(session),
        `await turn.request("session/request_permission", { toolCall: ${code(toolCall)}, options: ${code(options)} });`,
      );
    } else if (method === undefined && key === initializeId && result !== undefined) initialized = members(result);
    else if (method === undefined) {
      const prompt = open.get(key);
      if (prompt === undefined) continue;
      prompt.stop =
        error === undefined
          ? `return ${code(result)};`
          : `throw new RpcError(${code(members(error).code)}, ${code(members(error).message)});`;
      open.delete(key);
    }
  }
  const needsErrors = played.some(({ stop }) => stop.startsWith("throw"));
  return [
    "// Written from a recording by the inspector of acp-kit: the agent's part of a conversation, for tests of clients.",
    'import { agentScript } from "@acp-kit/testing";',
    ...(needsErrors ? ['import { RpcError } from "@acp-kit/client";'] : []),
    "",
    "/** The recorded agent. Connect a client to `recordedAgent.inMemory().transport`. */",
    "export const recordedAgent = agentScript()",
    `  .initialize(${code(initialized)})`,
    ...played.flatMap(({ text, steps: lines, stop }) => [
      `  .onPrompt(${code(text)}, async (turn) => {`,
      ...lines.map((line) => `    ${line}`),
      ...(stop === "" ? [] : [`    ${stop}`]),
      "  })",
    ]),
  ]
    .join("\n")
    .concat(";\n");
}

/** JSON is an expression of TypeScript, apart from a member named `__proto__`, which a literal would take for the prototype. */
function code(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").replaceAll('"__proto__":', '["__proto__"]:');
}
