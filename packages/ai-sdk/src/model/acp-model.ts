import type { Session } from "@acp-kit/client";
import type {
  LanguageModelV3,
  ModelCallOptions,
  ModelResult,
  ModelStreamPart,
  ModelUsage,
  ModelWarning,
} from "./model-types.js";
import { promptBlocks } from "./prompt-blocks.js";
import { turnParts } from "./turn-parts.js";

/** The session of a model, and whether its agent knows the earlier conversation. */
export interface ModelSession {
  readonly session: Session;
  /** Whether the agent has not received the earlier conversation yet. */
  isNew: boolean;
}

/** Options of {@link acpModel}. */
export interface AcpModelOptions {
  readonly modelId: string;
  /** Returns the session of a model call: the session with this id or, without an id, the model's own session. */
  session(sessionId: string | undefined): Promise<ModelSession>;
}

/**
 * Creates a language model from an agent's session, for `streamText` and `generateText`: each model call is a turn. The
 * agent remembers the conversation, so the model sends only the user's messages since the last response. The agent runs
 * its tools itself; the AI SDK receives them as tools that the provider runs.
 *
 * @example
 * ```ts
 * const { textStream } = streamText({ model: acpModel(await agent.newSession({ cwd })), prompt: "Explain this" });
 * ```
 */
export function acpModel(session: Session): LanguageModelV3 {
  const kept: ModelSession = { session, isNew: session.origin === "new" };
  return createModel({ modelId: "default", session: async () => kept });
}

interface ModelTurn {
  readonly parts: AsyncGenerator<ModelStreamPart>;
  readonly cancel: () => void;
}

/** @internal Creates a model. Each call of the model calls `session`. */
export function createModel({ modelId, session: sessionOf }: AcpModelOptions): LanguageModelV3 {
  const start = async (options: ModelCallOptions): Promise<ModelTurn> => {
    const { prompt, abortSignal: signal, includeRawChunks: raw = false } = options;
    signal?.throwIfAborted();
    const kept = await sessionOf(namedSession(options));
    signal?.throwIfAborted();
    const blocks = promptBlocks(prompt, kept);
    const turn = kept.session.prompt(blocks, signal === undefined ? {} : { signal });
    const markKnown = (): void => {
      kept.isNew = false;
    };
    turn.result.then(markKnown, () => {}); // if the turn fails, the agent may not have received the prompt
    const cancel = (): void => turn.cancel();
    return { parts: stopping(turnParts(turn, { warnings: warningsOf(options), raw, signal }), cancel), cancel };
  };

  return {
    specificationVersion: "v3",
    provider: "acp",
    modelId,
    supportedUrls: { "*/*": [/^[a-z][a-z\d+.-]*:/i] }, // an agent opens links itself
    doStream: async (options) => ({ stream: streamOf(await start(options), options.abortSignal) }),
    async doGenerate(options) {
      const collected = new Collected();
      const { parts } = await start(options);
      for await (const part of parts) collected.add(part);
      return collected.result;
    },
  };
}

/** Returns the session id in the options of a call: `providerOptions: { acp: { sessionId } }`. */
function namedSession({ providerOptions }: ModelCallOptions): string | undefined {
  const sessionId = providerOptions?.acp?.sessionId;
  return typeof sessionId === "string" ? sessionId : undefined;
}

/** Returns a warning for each option that an agent doesn't support. */
function warningsOf(options: ModelCallOptions): ModelWarning[] {
  const { tools = [], responseFormat } = options;
  const settings = [
    "maxOutputTokens",
    "temperature",
    "stopSequences",
    "topP",
    "topK",
    "presencePenalty",
    "frequencyPenalty",
    "seed",
  ] as const;
  const features: string[] = settings.filter((name) => options[name] !== undefined);
  if (responseFormat?.type === "json") features.push("responseFormat");
  const unsupported = features.map((feature): ModelWarning => ({ type: "unsupported", feature }));
  if (tools.length === 0) return unsupported;
  const details =
    "An agent uses its own tools; give it more with the option mcp: serveMcp(fromAiSdkTools(name, tools))";
  return [...unsupported, { type: "unsupported", feature: "tools", details }];
}

/** Passes the parts on. If the consumer stops reading before the end, cancels the turn. */
async function* stopping(
  parts: AsyncGenerator<ModelStreamPart>,
  cancel: () => void,
): AsyncGenerator<ModelStreamPart, void> {
  let ended = false;
  try {
    yield* parts;
    ended = true;
  } finally {
    if (!ended) cancel();
  }
}

/** Creates a stream that reads the next update on demand, so that a slow reader pauses the agent. */
function streamOf({ parts, cancel }: ModelTurn, signal: AbortSignal | undefined): ReadableStream<ModelStreamPart> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (signal?.aborted) return controller.error(signal.reason);
        controller.enqueue({ type: "error", error });
        controller.enqueue({ type: "finish", finishReason: { unified: "error", raw: undefined }, usage: noUsage });
        controller.close();
      }
    },
    async cancel() {
      // While the agent is silent, `return` waits for the pending read, which only the end of the turn settles.
      cancel();
      await parts.return(undefined);
    },
  });
}

const noUsage: ModelUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

class Collected {
  readonly #content: ModelResult["content"] = [];
  #result: Omit<ModelResult, "content" | "warnings"> = {
    finishReason: { unified: "other", raw: undefined },
    usage: noUsage,
  };
  #warnings: ModelWarning[] = [];

  add(part: ModelStreamPart): void {
    const last = this.#content.at(-1);
    if (part.type === "stream-start") this.#warnings = part.warnings;
    else if (part.type === "text-start") this.#content.push({ type: "text", text: "" });
    else if (part.type === "reasoning-start") this.#content.push({ type: "reasoning", text: "" });
    else if (part.type === "text-delta" || part.type === "reasoning-delta") {
      if (last?.type === "text" || last?.type === "reasoning") last.text += part.delta;
    } else if (part.type === "file" || part.type === "source" || part.type === "tool-call") this.#content.push(part);
    else if (part.type === "tool-result") this.#content.push(part);
    else if (part.type === "finish") {
      const { finishReason, usage, providerMetadata } = part;
      this.#result = { finishReason, usage, ...(providerMetadata && { providerMetadata }) };
    }
  }

  get result(): ModelResult {
    return { ...this.#result, content: this.#content, warnings: this.#warnings };
  }
}
