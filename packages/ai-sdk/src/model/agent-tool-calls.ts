import type { IncomingToolCall, IncomingToolCallUpdate } from "@acp-kit/types";
import { shallowEnough } from "../pipe/json.js";
import type { ModelStreamPart } from "./model-types.js";
import { shownContent } from "./shown-content.js";

type Told = IncomingToolCall | IncomingToolCallUpdate;
type Json = Extract<ModelStreamPart, { type: "tool-result" }>["result"];

interface Call {
  told: Told;
  /** Its input has been passed on. */
  called: boolean;
}

/**
 * Presents an agent's tool calls as calls that the provider runs: the application does nothing about them.
 *
 * Content shown while a call runs is passed on with its end: `ai` takes a preliminary result of a provider's tool for the final
 * one.
 */
export class AgentToolCalls {
  readonly #calls = new Map<string, Call>();

  /** Returns the parts for an update: the input once it is known or the tool runs, then the result, with its content. */
  *take(update: Told): Generator<ModelStreamPart> {
    const { toolCallId: id } = update;
    const known = this.#calls.get(id);
    const changes = Object.entries(update).filter(([, value]) => value != null);
    const call = known ?? { told: update, called: false };
    call.told = { ...call.told, ...Object.fromEntries(changes) };
    if (known === undefined) {
      this.#calls.set(id, call);
      yield { type: "tool-input-start", id, ...naming(call.told), ...titled(call.told) };
    }
    const { status, rawInput } = call.told;
    const ended = status === "completed" || status === "failed";
    if (!call.called && (rawInput !== undefined || ended || status === "in_progress")) yield* this.#input(call);
    if (ended) yield* this.#end(call, status === "failed");
  }

  /** Ends the open calls when the turn is over. */
  *end(): Generator<ModelStreamPart> {
    for (const call of [...this.#calls.values()]) {
      if (!call.called) yield* this.#input(call);
      yield* this.#end(call, true);
    }
  }

  *#input(call: Call): Generator<ModelStreamPart> {
    const { toolCallId, rawInput, kind, locations } = call.told;
    const input = JSON.stringify(shallowEnough(rawInput ?? {}));
    call.called = true;
    yield { type: "tool-input-delta", id: toolCallId, delta: input };
    yield { type: "tool-input-end", id: toolCallId };
    const acp = {
      ...titled(call.told),
      ...(kind != null && { kind: camelCase(kind) }),
      ...(locations != null && {
        locations: locations.map(({ path, line }) => ({ path, ...(line != null && { line }) })),
      }),
    };
    yield { type: "tool-call", toolCallId, input, ...naming(call.told), providerMetadata: { acp } };
  }

  *#end({ told }: Call, failed: boolean): Generator<ModelStreamPart> {
    this.#calls.delete(told.toolCallId);
    yield { ...result(told), ...(failed && { isError: true }) };
  }
}

function naming({ name, kind }: Told): { toolName: string; providerExecuted: true; dynamic: true } {
  return { toolName: name ?? camelCase(kind ?? "tool"), providerExecuted: true, dynamic: true };
}

function titled({ title }: Told): { title?: string } {
  return title == null || title === "" ? {} : { title };
}

function result(told: Told): Extract<ModelStreamPart, { type: "tool-result" }> {
  const { toolCallId, rawOutput, content } = told;
  const { toolName, dynamic } = naming(told);
  const shown = {
    ...(content != null && { content: shownContent(content) }),
    ...(rawOutput != null && { output: shallowEnough(rawOutput) }),
  };
  return { type: "tool-result", toolCallId, toolName, dynamic, result: shown as Json };
}

/** Converts the protocol's names to camel case: `switch_mode` → `switchMode`. */
function camelCase(word: string): string {
  return word.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
