// A model that needs no API key. It follows a script, which it chooses by a word in the last prompt.
import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
type Part = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];

/** One response of the model: a text, or a tool call. */
type Step = { readonly say: string } | { readonly tool: string; readonly input: object };

const plan = (...done: string[]): Step => {
  const steps = ["Fix the typo", "Run the check"].map((content, at) => ({ content, status: done[at] ?? "pending" }));
  return { tool: "update_plan", input: { steps } };
};

/**
 * The scripts. If a prompt contains the key of a script, such as `fix`, the model gives the responses of this script,
 * one for each model call.
 */
const scripts: Readonly<Record<string, readonly Step[]>> = {
  fix: [
    plan("inProgress"),
    { tool: "read_file", input: { path: "greeting.txt" } },
    { tool: "edit_file", input: { path: "greeting.txt", oldText: "Helo", newText: "Hello" } },
    plan("completed", "inProgress"),
    { tool: "run_command", input: { command: "node check.mjs" } },
    plan("completed", "completed"),
    { say: "The typo is fixed and the check passes." },
  ],
  ask: [{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "blue"] } }],
  wait: [{ tool: "run_command", input: { command: "node wait.mjs" } }],
};

export function scriptedModel(): Model {
  const stream: Model["doStream"] = async ({ prompt }) => {
    const chunks = partsOf(nextStep(prompt));
    return {
      stream: new ReadableStream<Part>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      }),
    };
  };
  return {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doStream: stream,
    doGenerate: async () => {
      throw new Error("It only streams");
    },
  };
}

/**
 * Returns the next response. The model keeps no state between its calls: it counts the tool results since the last
 * prompt, and this number is the position in the script.
 */
function nextStep(prompt: Prompt): Step {
  const turn = prompt.slice(prompt.findLastIndex(({ role }) => role === "user"));
  const texts = textsOf(turn.slice(0, 1)).join(" ");
  const word = Object.keys(scripts).find((name) => texts.includes(name));
  const answers = turn.flatMap((message) => (message.role === "tool" ? message.content : []));
  if (word === undefined) return { say: recollection(prompt) };
  const step = scripts[word]?.filter((one) => "tool" in one)[answers.length];
  const last = JSON.stringify(answers.at(-1) ?? "");
  if (last.includes("rejected")) return { say: "Then I leave it as it is." };
  return step ?? { say: word === "ask" ? `You chose: ${last.match(/"value":"([^"]*)"/)?.[1]}` : closing(word) };
}

const closing = (word: string): string => {
  const last = scripts[word]?.findLast((step) => "say" in step);
  return last !== undefined && "say" in last ? last.say : "Done.";
};

const recollection = (prompt: Prompt): string => {
  const prompts = textsOf(prompt.filter(({ role }) => role === "user"));
  const tools = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return `I remember ${prompts.length} prompts and ${tools.length} results of tools.`;
};

function textsOf(messages: Prompt): string[] {
  return messages.flatMap((message) =>
    message.role === "user" ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
}

let calls = 0;

function partsOf(step: Step): Part[] {
  const finish = (unified: "stop" | "tool-calls"): Part => ({
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 20, text: 20, reasoning: 0 },
    },
  });
  if ("say" in step) {
    const deltas = step.say.split(/(?<= )/).map((delta): Part => ({ type: "text-delta", id: "0", delta }));
    return [{ type: "text-start", id: "0" }, ...deltas, { type: "text-end", id: "0" }, finish("stop")];
  }
  calls += 1;
  const toolCallId = `call_${process.pid}_${calls}`;
  return [
    { type: "tool-call", toolCallId, toolName: step.tool, input: JSON.stringify(step.input) },
    finish("tool-calls"),
  ];
}
