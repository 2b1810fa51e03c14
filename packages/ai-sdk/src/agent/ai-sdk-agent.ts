import {
  type AgentContext,
  type AgentDefinition,
  ErrorCode,
  RpcError,
  sessionNotFound,
  type ToolCallHandle,
  type Turn,
} from "@acp-kit/agent";
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
import { TurnSteps } from "./turn-steps.js";
import { userContent } from "./user-content.js";

/** What models, tools and instructions are chosen by, for each turn. */
export interface AiSdkTurn {
  readonly turn: Turn;
  readonly session: AiSdkSession;
  /** The call that the client is shown, by the `toolCallId` that a tool's `execute` is given: to show in it what the tool does. */
  toolCall(toolCallId: string): Promise<ToolCallHandle>;
}

/** A value, or how to make it for a turn. */
export type ForTurn<Value> = Value | ((context: AiSdkTurn) => Value | PromiseLike<Value>);

/** What else `streamText` takes: temperature, `providerOptions`, `prepareStep`, retries, … */
export type StreamTextSettings = Partial<
  Omit<
    Parameters<typeof streamText>[0],
    "model" | "system" | "instructions" | "prompt" | "messages" | "tools" | "abortSignal"
  >
>;

/** An agent that is a model with tools. */
export interface AiSdkAgentOptions
  extends Omit<PipeOptions, "calls" | "tools" | "views">,
    Pick<AgentDefinition, "promptContent" | "mcpTransports" | "additionalDirectories"> {
  /** Name and version, shown by clients. */
  readonly info: Implementation;
  readonly model: ForTurn<LanguageModel>;
  /** What the model is told before everything else. */
  readonly system?: ForTurn<string>;
  /** A tool with `needsApproval` asks the user, as {@link PipeOptions.permission} says. */
  readonly tools?: ForTurn<ToolSet>;
  /** How the calls of tools are shown, by the name of the tool. */
  readonly views?: ForTurn<ToolViews>;
  /**
   * Model calls of one turn; beyond it ends as `max_turn_requests`. The tools that the last one calls still run, those that the user has allowed
   * included. Default 50.
   */
  readonly maxSteps?: number;
  /** `stopWhen` and `prepareStep` see all steps of the turn, those before an approval included. */
  readonly settings?: StreamTextSettings;
  /** What the client may know of an error, such as "No API key". Default: nothing, it is an internal error; `onDiagnostic` has it. */
  readonly errorText?: (error: unknown) => string | undefined;
}

/** A session that is opened again, as `withSessions` hands it over. */
export interface RestoredHistory {
  readonly sessionId: string;
  readonly request: IncomingLoadSessionRequest | IncomingResumeSessionRequest;
  readonly history: Iterable<HistoryEntry>;
}

/** The definition of an agent on the AI SDK: whole for `createAgent`, and a part of it for `withSessions`. */
export interface AiSdkAgent extends AgentDefinition {
  readonly closeSession: NonNullable<AgentDefinition["closeSession"]>;
  /** Makes the model remember a session from its log: the `restore` of `withSessions`. */
  restore(session: RestoredHistory, context: Pick<AgentContext, "connection">): undefined;
}

/**
 * Makes an agent of a model and its tools: `streamText` inside, every part of its stream told to the client, approvals asked, cancellation
 * passed on. What the model knows of a session is kept in memory while the session is open.
 *
 * What it answers is a plain definition: spread it to add modes, logins or anything else.
 *
 * @example
 * ```ts
 * const definition = aiSdkAgent({ info, model, tools, system: "You fix typos." });
 * await serveStdio(createAgent(withSessions(definition, memoryStore(), { restore: definition.restore })));
 * ```
 */
export function aiSdkAgent(options: AiSdkAgentOptions): AiSdkAgent {
  const { info, promptContent, mcpTransports, additionalDirectories } = options;
  const sessions = new AgentSessions();
  return {
    info,
    ...(promptContent && { promptContent }),
    ...(mcpTransports && { mcpTransports }),
    ...(additionalDirectories !== undefined && { additionalDirectories }),

    newSession(params, { connection }) {
      const sessionId = crypto.randomUUID();
      sessions.open(sessionId, params, connection, () => []);
      return { sessionId };
    },

    closeSession: ({ sessionId }, { connection }) => sessions.close(sessionId, connection),

    restore({ sessionId, request, history }, { connection }) {
      sessions.open(sessionId, request, connection, () => modelMessages(history));
      return undefined;
    },

    async prompt(turn) {
      const session = sessions.get(turn.sessionId);
      if (session === undefined) throw sessionNotFound(turn.sessionId);
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
    },
  };
}

interface Played {
  readonly response: PromptResponse;
  /** What the model said and did, with all that its provider wants to have back. */
  readonly answer: readonly ModelMessage[];
}

/**
 * Plays one turn: a stream, and another one as long as the user is asked whether tools may run. Where the turn may call its model no more, what the
 * user allowed still runs.
 */
async function play(
  options: AiSdkAgentOptions,
  turn: Turn,
  session: AiSdkSession,
  partial: PartialAnswer,
): Promise<Played> {
  const { model, system, tools, views, maxSteps = 50, settings, errorText: _, info: __, ...telling } = options;
  const calls = new TurnCalls(turn);
  const context: AiSdkTurn = { turn, session, toolCall: (id) => calls.when(id) };
  const chosen = {
    model: await forTurn(model, context),
    system: await forTurn(system, context),
    tools: await forTurn(tools, context),
  };
  const shown = await forTurn(views, context);
  const answer: ModelMessage[] = [];
  const steps = new TurnSteps(maxSteps, settings);
  const tell = (parts: AsyncIterable<StreamPart>): Promise<PipeResult> =>
    pipe(partial.watch(parts), turn, {
      ...telling,
      calls,
      maxSteps: steps.left,
      ...(chosen.tools !== undefined && { tools: chosen.tools }),
      ...(shown !== undefined && { views: shown }),
    });
  const stream = (options: object): StreamResult =>
    streamText({
      onError: () => {}, // the default writes to the console; the stream tells it, too
      ...settings,
      ...chosen,
      messages: [...session.messages, ...answer],
      abortSignal: turn.signal,
      ...options,
    } as Parameters<typeof streamText>[0]) as unknown as StreamResult;

  for (;;) {
    const result = stream(steps.settings());
    const { approvals, response } = await tell(result.fullStream);
    if (response.stopReason === "cancelled") return { response, answer };
    answer.push(...(await answerOf(result)));
    steps.add(await result.steps);
    if (approvals.length === 0) return { response, answer };
    answer.push({ role: "tool", content: [...approvals] });
    if (await steps.isOver()) {
      const last = stream({ ...withoutModel, model: idleModel });
      const ran = await tell(toolParts(last.fullStream));
      if (ran.response.stopReason === "cancelled") return { response: ran.response, answer };
      answer.push(...(await answerOf(last)));
      const stopReason = steps.left <= 0 ? "max_turn_requests" : "end_turn";
      return { response: { ...ran.response, stopReason }, answer };
    }
  }
}

type StreamResult = {
  readonly fullStream: AsyncIterable<StreamPart>;
  readonly steps: PromiseLike<readonly unknown[]>;
};

/** Settings that are about what a model says. */
const withoutModel = {
  stopWhen: () => true,
  prepareStep: undefined,
  toolChoice: undefined,
  output: undefined,
  onStepFinish: undefined,
  onFinish: undefined,
};

/** What tools do in a stream, and what ends it early. */
async function* toolParts(parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
  for await (const part of parts)
    if (part.type.startsWith("tool-") || part.type === "abort" || part.type === "error") yield part;
}

function forTurn<Value>(value: ForTurn<Value> | undefined, context: AiSdkTurn): Value | undefined | PromiseLike<Value> {
  return typeof value === "function" ? (value as (context: AiSdkTurn) => Value)(context) : value;
}

/** The messages of an answer: `ai` 7 has them in a place of their own. */
async function answerOf(result: object): Promise<readonly ModelMessage[]> {
  const { response, responseMessages } = result as {
    readonly response: PromiseLike<{ readonly messages: readonly ModelMessage[] }>;
    readonly responseMessages?: PromiseLike<readonly ModelMessage[]>;
  };
  return responseMessages ?? (await response).messages;
}
