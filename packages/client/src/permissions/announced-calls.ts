import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { isFinalStatus } from "../final-status.js";
import type { Draft } from "../transcript/writable.js";
import { isEmptyValue, withoutEmptyMembers } from "./empty-members.js";

/**
 * Accumulates the members of tool calls that have not ended. A permission request often contains only the id of its
 * tool call, but rules and users need the kind, the title and the paths.
 */
export class AnnouncedCalls {
  readonly #max: number;
  readonly #calls = new Map<string, Draft<IncomingToolCallUpdate>>();
  /** The ids of calls of earlier turns. Some agents number their calls anew in each turn. */
  #earlier = new Set<string>();

  /**
   * @param max the maximum number of tool calls. Above it, the oldest is removed, because some agents never end their
   * tool calls.
   */
  constructor(max = 1_000) {
    this.#max = max;
  }

  get(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls.get(toolCallId);
  }

  // The call is changed in place, because agents send thousands of updates. The caller of `get` makes a copy.
  apply(update: IncomingToolCallUpdate & { readonly sessionUpdate?: string }): void {
    const { toolCallId, status } = update;
    if (isFinalStatus(status)) {
      this.#calls.delete(toolCallId);
      return;
    }
    if (update.sessionUpdate === "tool_call" && this.#earlier.delete(toolCallId)) this.#calls.delete(toolCallId);
    merge(this.#calls.get(toolCallId) ?? this.#add(toolCallId), update);
  }

  /**
   * Called when a turn ends. A later `tool_call` with the id of one of its calls is another call, which must not get
   * this call's input.
   */
  endTurn(): void {
    this.#earlier = new Set(this.#calls.keys());
  }

  #add(toolCallId: string): Draft<IncomingToolCallUpdate> {
    const call: Draft<IncomingToolCallUpdate> = { toolCallId };
    this.#calls.set(toolCallId, call);
    const [oldest] = this.#calls.size > this.#max ? this.#calls.keys() : [];
    if (oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}

/**
 * Copies the members of an update. Each known member has its own line, because writing to a computed name costs several
 * times as much.
 */
function merge(kept: Draft<IncomingToolCallUpdate>, update: IncomingToolCallUpdate): void {
  for (const member in update) {
    switch (member) {
      case "sessionUpdate":
      case "toolCallId":
        break;
      case "status":
        if (update.status != null) kept.status = update.status;
        break;
      case "content":
        if (update.content != null) kept.content = update.content;
        break;
      case "locations":
        if (update.locations != null) kept.locations = update.locations;
        break;
      case "title":
        if (update.title != null) kept.title = update.title;
        break;
      case "kind":
        if (update.kind != null) kept.kind = update.kind;
        break;
      case "name":
        if (update.name != null) kept.name = update.name;
        break;
      case "rawInput":
        if (!isEmptyValue(update.rawInput)) kept.rawInput = update.rawInput;
        break;
      case "rawOutput":
        if (update.rawOutput != null) kept.rawOutput = update.rawOutput;
        break;
      case "_meta":
        if (update._meta != null) kept._meta = update._meta;
        break;
      default:
        keep(kept, member, update[member as keyof IncomingToolCallUpdate]);
    }
  }
}

/** Sets a member that the schema doesn't define, even a member with the name `__proto__`. */
function keep(kept: object, member: string, value: unknown): void {
  if (value == null) return;
  Object.defineProperty(kept, member, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Returns the tool call of a permission request, with absent and empty members filled in from earlier updates, because
 * an agent leaves out members that have not changed.
 */
export function fillIn(
  call: IncomingToolCallUpdate,
  before: IncomingToolCallUpdate | undefined,
): IncomingToolCallUpdate {
  return before === undefined ? call : ({ ...before, ...withoutEmptyMembers(call) } as IncomingToolCallUpdate);
}
