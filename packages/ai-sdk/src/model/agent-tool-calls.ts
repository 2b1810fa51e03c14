import { isFinalStatus } from "@acp-kit/client/internal";
import type { IncomingToolCall, IncomingToolCallContent, IncomingToolCallUpdate } from "@acp-kit/types";
import { isEmptyInput, shallowEnough } from "../pipe/json.js";
import type { ModelStreamPart } from "./model-types.js";
import { type ShownTerminals, shownContent, shownTerminal } from "./shown-content.js";

type ToolCallState = (IncomingToolCall | IncomingToolCallUpdate) & { readonly sessionUpdate?: string };
type Json = Extract<ModelStreamPart, { type: "tool-result" }>["result"];

interface Call {
  state: ToolCallState;
  /** Whether the part with the input of the call was sent. */
  called: boolean;
  /** The content of `state` while items are added to it one by one. */
  added?: IncomingToolCallContent[];
}

/** The maximum number of items that are added one by one to the content of a call; further items are dropped. */
const MAX_ITEMS = 10_000;

/** The ids of the terminals that a call has shown, and the terminals of its session. */
export interface CallTerminals {
  readonly ids: readonly string[];
  readonly terminals: ShownTerminals;
}

export const noTerminals: CallTerminals = { ids: [], terminals: {} };

/**
 * Presents an agent's tool calls as calls that the provider runs, so that the application does not run them.
 *
 * The content of a running call is sent only when the call ends, because `ai` treats a preliminary result of a
 * provider's tool as the final result.
 */
export class AgentToolCalls {
  readonly #calls = new Map<string, Call>();
  readonly #ended = new Set<string>();
  readonly #terminalsOf: (toolCallId: string) => CallTerminals;

  /** @param terminalsOf returns the terminals that a call has shown until now; by default none. */
  constructor(terminalsOf: (toolCallId: string) => CallTerminals = () => noTerminals) {
    this.#terminalsOf = terminalsOf;
  }

  /**
   * Returns the parts for an update. The input and the title follow when the tool runs, because until then the agent
   * may send them in pieces; if the tool ends before the agent has sent an input, the input is `{}`. The result follows
   * when the call has ended. An update of a call that has ended is ignored: agents send such updates, for example with
   * `_meta` of their hooks, and `ai` knows only one result of a call.
   */
  *take(update: ToolCallState): Generator<ModelStreamPart> {
    const { toolCallId: id } = update;
    const known = this.#calls.get(id);
    if (known === undefined && update.sessionUpdate === "tool_call_update" && this.#ended.has(id)) return;
    const changes = Object.entries(update).filter(([name, value]) => value != null && !isEmptyInput(name, value));
    const call = known ?? { state: update, called: false };
    call.state = { ...call.state, ...Object.fromEntries(changes) };
    if (known === undefined) {
      this.#calls.set(id, call);
      yield { type: "tool-input-start", id, ...naming(call.state), ...titled(call.state) };
    }
    const { status, rawInput } = call.state;
    const ended = isFinalStatus(status);
    const hasInput = rawInput != null && !isEmptyInput("rawInput", rawInput);
    if (!call.called && (ended || (status === "in_progress" && hasInput))) yield* this.#input(call);
    if (ended) yield* this.#end(call, status !== "completed");
  }

  /** Adds one item to the content of a call that has not ended. */
  add(toolCallId: string, item: IncomingToolCallContent): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    if (call.added === undefined || call.state.content !== call.added) {
      call.added = [...(call.state.content ?? [])];
      call.state = { ...call.state, content: call.added };
    }
    if (call.added.length < MAX_ITEMS) call.added.push(item);
  }

  /** Returns the parts that end the open calls at the end of a turn. */
  *end(): Generator<ModelStreamPart> {
    for (const call of [...this.#calls.values()]) {
      if (!call.called) yield* this.#input(call);
      yield* this.#end(call, true);
    }
  }

  *#input(call: Call): Generator<ModelStreamPart> {
    const { toolCallId, rawInput, kind, locations } = call.state;
    const input = JSON.stringify(shallowEnough(rawInput ?? {}));
    call.called = true;
    yield { type: "tool-input-delta", id: toolCallId, delta: input };
    yield { type: "tool-input-end", id: toolCallId };
    const acp = {
      ...titled(call.state),
      ...(kind != null && { kind: camelCase(kind) }),
      ...(locations != null && {
        locations: locations.map(({ path, line }) => ({ path, ...(line != null && { line }) })),
      }),
    };
    yield { type: "tool-call", toolCallId, input, ...naming(call.state), providerMetadata: { acp } };
  }

  *#end({ state }: Call, failed: boolean): Generator<ModelStreamPart> {
    this.#calls.delete(state.toolCallId);
    this.#ended.add(state.toolCallId);
    const { ids, terminals } = this.#terminalsOf(state.toolCallId);
    yield { ...result(state, ids, terminals), ...(failed && { isError: true }) };
  }
}

function naming({ name, kind }: ToolCallState): { toolName: string; providerExecuted: true; dynamic: true } {
  return { toolName: name ?? camelCase(kind ?? "tool"), providerExecuted: true, dynamic: true };
}

function titled({ title }: ToolCallState): { title?: string } {
  return title == null || title === "" ? {} : { title };
}

function result(
  state: ToolCallState,
  terminalIds: readonly string[],
  terminals: ShownTerminals,
): Extract<ModelStreamPart, { type: "tool-result" }> {
  const { toolCallId, rawOutput, content } = state;
  const { toolName, dynamic } = naming(state);
  // An agent that sends output in `_meta` may not mention the terminal in the content of the call.
  const mentioned = new Set(content?.map((one) => (one as { readonly terminalId?: unknown }).terminalId));
  const others = terminalIds.filter((id) => !mentioned.has(id)).map((id) => shownTerminal(id, terminals));
  const shown = {
    ...((content != null || others.length > 0) && { content: [...shownContent(content ?? [], terminals), ...others] }),
    ...(rawOutput != null && { output: shallowEnough(rawOutput) }),
  };
  return { type: "tool-result", toolCallId, toolName, dynamic, result: shown as Json };
}

/** Converts the protocol's names to camel case: `switch_mode` → `switchMode`. */
function camelCase(word: string): string {
  return word.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
