import {
  type AgentContext,
  type AgentDefinition,
  ErrorCode,
  RpcError,
  type ToolCallHandle,
  type Turn,
} from "@acp-kit/agent";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type {
  Implementation,
  IncomingLoadSessionRequest,
  IncomingResumeSessionRequest,
  PromptResponse,
} from "@acp-kit/types";
import { type LanguageModel, type ModelMessage, streamText, type ToolSet } from "ai";
import { type PipeOptions, type PipeResult, pipe } from "../pipe/pipe.js";
import type { StreamPart } from "../pipe/stream-part.js";
import type { ToolViews } from "../pipe/tool-view.js";
import { TurnCalls } from "../pipe/turn-calls.js";
import { AgentSessions, type AiSdkSession } from "./agent-session.js";
import { idleModel } from "./idle-model.js";
import { type HistoryEntry, modelMessages } from "./model-messages.js";
import { PartialAnswer } from "./partial-answer.js";
import type { OpenSessionMcp, SessionMcp } from "./session-mcp.js";
import { TurnSteps } from "./turn-steps.js";
import { userContent } from "./user-content.js";

/** The turn for which the application chooses a model, tools or instructions. */
export interface AiSdkTurn {
  readonly turn: Turn;
  readonly session: AiSdkSession;
  /**
   * Returns the ACP tool call that belongs to the model's call of a tool. The tool uses it to show its progress in the
   * client. `toolCallId` is the id that the tool's `execute` receives.
   */
  toolCall(toolCallId: string): Promise<ToolCallHandle>;
}

/** A value, or a function that returns the value for a turn. */
export type ForTurn<Value> = Value | ((context: AiSdkTurn) => Value | PromiseLike<Value>);

/** Further options of `streamText`: temperature, `providerOptions`, `prepareStep`, retries, … */
export type StreamTextSettings = Partial<
  Omit<
    Parameters<typeof streamText>[0],
    "model" | "system" | "instructions" | "prompt" | "messages" | "tools" | "abortSignal"
  >
>;

/** Options of {@link aiSdkAgent}. */
export interface AiSdkAgentOptions
  extends Omit<PipeOptions, "calls" | "tools" | "views">,
    Pick<AgentDefinition, "promptContent" | "mcpTransports" | "additionalDirectories" | "unstable"> {
  /** The name and version of the agent, which clients show. */
  readonly info: Implementation;
  readonly model: ForTurn<LanguageModel>;
  /**
   * The model's system prompt. If `unstable` contains `acceptSystemPrompt()` of `@acp-kit/agent/unstable`, the agent
   * appends the client's instructions to it, or replaces it if the client may do that.
   */
  readonly system?: ForTurn<string>;
  /** The tools of the model. A tool with `needsApproval` requests permission, see {@link PipeOptions.permission}. */
  readonly tools?: ForTurn<ToolSet>;
  /**
   * Gives the model the tools of the MCP servers that the client declares, in addition to `tools`: `sessionTools()` of
   * `@acp-kit/ai-sdk/mcp`. The agent advertises the transports, so `mcpTransports` is not needed.
   */
  readonly mcp?: SessionMcp;
  /** How the client shows the calls of a tool, by the name of the tool. */
  readonly views?: ForTurn<ToolViews>;
  /**
   * The maximum number of model calls of one turn. After them, the turn ends with the stop reason `max_turn_requests`.
   * Tools that the last model call requested still run, including those that need permission. The default is 50.
   */
  readonly maxSteps?: number;
  /** Further settings of `streamText`. `stopWhen` and `prepareStep` see the steps of all streams of a turn. */
  readonly settings?: StreamTextSettings;
  /**
   * Returns the text of an error for the client, such as "No API key". By default, the client gets an internal error
   * without text; `onDiagnostic` receives the error.
   */
  readonly errorText?: (error: unknown) => string | undefined;
}

/** A saved session that a client opens. `withSessions` passes this object to {@link AiSdkAgent.restore}. */
export interface RestoredHistory {
  readonly sessionId: string;
  readonly request: IncomingLoadSessionRequest | IncomingResumeSessionRequest;
  readonly history: Iterable<HistoryEntry>;
}

/** The definition of an agent that uses the AI SDK, for `createAgent` or `withSessions`. */
export interface AiSdkAgent extends AgentDefinition {
  readonly closeSession: NonNullable<AgentDefinition["closeSession"]>;
  /** Restores the model's messages from a session's log: the option `restore` of `withSessions`. */
  restore(session: RestoredHistory, context: Pick<AgentContext, "connection">): void;
}

/**
 * Creates an agent definition from a model and its tools. The agent runs `streamText`, sends every part of the stream
 * to the client, requests permission for tools that need approval, and aborts the stream when the turn is cancelled.
 * The agent keeps the messages for the model while the session is open.
 *
 * The result is a plain object. Copy it with the spread syntax to add modes, logins or other handlers.
 *
 * @example
 * ```ts
 * const definition = aiSdkAgent({ info, model, tools, system: "You fix typos." });
 * await serveStdio(createAgent(withSessions(definition, memoryStore(), { restore: definition.restore })));
 * ```
 */
export function aiSdkAgent(options: AiSdkAgentOptions): AiSdkAgent {
  checkOptions("aiSdkAgent", options, optionKinds);
  const { info, promptContent, mcp, mcpTransports = mcp?.transports, additionalDirectories, unstable } = options;
  const sessions = new AgentSessions(mcp);
  return {
    info,
    ...(promptContent && { promptContent }),
    ...(mcpTransports && { mcpTransports }),
    ...(additionalDirectories !== undefined && { additionalDirectories }),
    ...(unstable && { unstable }),

    newSession(params, { connection }) {
      const sessionId = crypto.randomUUID();
      sessions.open(sessionId, params, connection, () => []);
      return { sessionId };
    },

    closeSession: ({ sessionId }, { connection }) => sessions.close(sessionId, connection),

    restore({ sessionId, request, history }, { connection }) {
      sessions.open(sessionId, request, connection, () => modelMessages(history));
    },

    prompt: (turn) =>
      sessions.during(turn, async (session) => {
        const partial = new PartialAnswer();
        const messages: ModelMessage[] = [...session.messages, { role: "user", content: userContent(turn.prompt) }];
        session.messages = messages;
        try {
          const { response, answer } = await play(options, turn, session, partial);
          session.messages = [
            ...messages,
            ...(partial.waits || response.stopReason === "cancelled" ? partial.messages : answer),
          ];
          return response;
        } catch (error) {
          session.messages = [...messages, ...partial.messages];
          const text = turn.signal.aborted ? undefined : options.errorText?.(error);
          throw text === undefined ? error : new RpcError(ErrorCode.internalError, text, { cause: error });
        }
      }),
  };
}

const optionKinds: OptionKinds<AiSdkAgentOptions> = {
  info: "value!",
  model: "value!",
  system: "value",
  tools: "value",
  mcp: "value",
  views: "value",
  maxSteps: "value",
  settings: "value",
  errorText: "function",
  kinds: "value",
  onUnknownPart: "function",
  permission: "value",
  coalesceMs: "value",
  inputDeltas: "value",
  contextWindow: "value",
  promptContent: "value",
  mcpTransports: "value",
  additionalDirectories: "value",
  unstable: "value",
};

interface Played {
  readonly response: PromptResponse;
  /** The model's output in the turn. It contains the provider's metadata, because the next model call needs them. */
  readonly answer: readonly ModelMessage[];
}

/** Runs one turn: a stream, and another after each permission request. Allowed tools run beyond its limit. */
async function play(
  options: AiSdkAgentOptions,
  turn: Turn,
  session: AiSdkSession & { readonly mcp?: OpenSessionMcp },
  partial: PartialAnswer,
): Promise<Played> {
  const { model, system, tools, views, maxSteps = 50, settings } = options;
  const { kinds, permission, onUnknownPart, coalesceMs, inputDeltas, contextWindow } = options;
  const calls = new TurnCalls(turn);
  const context: AiSdkTurn = { turn, session, toolCall: (id) => calls.when(id) };
  const servers = await session.mcp?.tools(turn.signal);
  const own = await forTurn(tools, context);
  const chosen = {
    model: await forTurn(model, context),
    system: withInstructions(await forTurn(system, context), turn),
    tools: servers === undefined ? own : { ...servers.tools, ...own },
  };
  const shown = { ...servers?.views, ...(await forTurn(views, context)) };
  const answer: ModelMessage[] = [];
  const steps = new TurnSteps(maxSteps, settings);
  const stopped = new AbortController();
  const { signal: abortSignal } = stopped;
  const stop = (): void => stopped.abort(turn.signal.reason);
  if (turn.signal.aborted) stop();
  else turn.signal.addEventListener("abort", stop);
  const send = (parts: AsyncIterable<StreamPart>): Promise<PipeResult> =>
    pipe(partial.watch(parts), turn, {
      ...(kinds && { kinds }),
      ...(permission && { permission }),
      ...(onUnknownPart && { onUnknownPart }),
      ...(coalesceMs !== undefined && { coalesceMs }),
      ...(inputDeltas !== undefined && { inputDeltas }),
      ...(contextWindow !== undefined && { contextWindow }),
      calls,
      maxSteps: steps.left,
      ...(chosen.tools !== undefined && { tools: chosen.tools }),
      views: shown,
    });
  const stream = (options: object): StreamResult =>
    streamText({
      onError: () => {}, // the default handler writes the error to the console, but the stream also contains it
      ...settings,
      ...chosen,
      messages: [...session.messages, ...answer],
      abortSignal,
      ...options,
    } as Parameters<typeof streamText>[0]) as unknown as StreamResult;

  try {
    for (;;) {
      const result = stream(steps.settings());
      const { approvals, response } = await send(result.fullStream);
      if (response.stopReason === "cancelled") return { response, answer };
      answer.push(...(await answerOf(result)));
      steps.add(await result.steps);
      if (approvals.length === 0) return { response, answer };
      answer.push({ role: "tool", content: [...approvals] });
      if (await steps.isOver()) {
        const last = stream({ ...withoutModel, model: idleModel });
        const toolRun = await send(toolParts(last.fullStream));
        if (toolRun.response.stopReason === "cancelled") return { response: toolRun.response, answer };
        answer.push(...(await answerOf(last)));
        const stopReason = steps.left <= 0 ? "max_turn_requests" : "end_turn";
        return { response: { ...toolRun.response, stopReason }, answer };
      }
    }
  } catch (error) {
    // Otherwise the model and its tools would continue: `ai` reads the stream to its end for its own results.
    stopped.abort();
    throw error;
  }
}

/** Adds the client's instructions for the session to the system prompt. */
function withInstructions(system: string | undefined, { systemPrompt }: Turn): string | undefined {
  if (systemPrompt === undefined) return system;
  const { mode, text } = systemPrompt;
  return mode === "override" || system === undefined ? text : `${system}\n\n${text}`;
}

type StreamResult = {
  readonly fullStream: AsyncIterable<StreamPart>;
  readonly steps: PromiseLike<readonly unknown[]>;
};

/** Settings for {@link idleModel}. They replace settings of the application that need an output. */
const withoutModel = {
  stopWhen: () => true,
  prepareStep: undefined,
  toolChoice: undefined,
  output: undefined,
  onStepFinish: undefined,
  onFinish: undefined,
};

/** Yields only the parts about tools, aborts and errors. */
async function* toolParts(parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
  for await (const part of parts)
    if (part.type.startsWith("tool-") || part.type === "abort" || part.type === "error") yield part;
}

function forTurn<Value>(value: ForTurn<Value> | undefined, context: AiSdkTurn): Value | undefined | PromiseLike<Value> {
  return typeof value === "function" ? (value as (context: AiSdkTurn) => Value)(context) : value;
}

/** Returns the messages of a response. In `ai` 7, they are in another member than in `ai` 6. */
async function answerOf(result: object): Promise<readonly ModelMessage[]> {
  const { response, responseMessages } = result as {
    readonly response: PromiseLike<{ readonly messages: readonly ModelMessage[] }>;
    readonly responseMessages?: PromiseLike<readonly ModelMessage[]>;
  };
  return responseMessages ?? (await response).messages;
}
