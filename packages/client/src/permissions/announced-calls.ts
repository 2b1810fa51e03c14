import type { IncomingToolCallUpdate } from "@acp-kit/types";
import type { Draft } from "../transcript/writable.js";

/**
 * The tool calls of an agent that have not ended, with all their members so far. A permission request often only names the call; rules and users
 * need its kind, its title and its paths.
 */
export class AnnouncedCalls {
  readonly #max: number;
  readonly #calls = new Map<string, Draft<IncomingToolCallUpdate>>();

  /** Beyond `max` calls the oldest is removed: some agents never end theirs. */
  constructor(max = 1_000) {
    this.#max = max;
  }

  get(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls.get(toolCallId);
  }

  // Changed in place, because agents send thousands of updates; the caller of `get` makes a copy.
  apply(update: IncomingToolCallUpdate): void {
    const { toolCallId, status } = update;
    if (status === "completed" || status === "failed") {
      this.#calls.delete(toolCallId);
      return;
    }
    merge(this.#calls.get(toolCallId) ?? this.#add(toolCallId), update);
  }

  #add(toolCallId: string): Draft<IncomingToolCallUpdate> {
    const call: Draft<IncomingToolCallUpdate> = { toolCallId };
    this.#calls.set(toolCallId, call);
    const [oldest] = this.#calls.size > this.#max ? this.#calls.keys() : [];
    if (oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}

/** Each member by its name: writing a member whose name is only known at run time costs several times as much. */
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
        if (update.rawInput != null) kept.rawInput = update.rawInput;
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

/** Sets a member that the schema doesn't know, also one called `__proto__`. */
function keep(kept: object, member: string, value: unknown): void {
  if (value == null) return;
  Object.defineProperty(kept, member, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns a tool call with its absent members filled in from earlier updates: absent means unchanged. */
export function fillIn(
  call: IncomingToolCallUpdate,
  before: IncomingToolCallUpdate | undefined,
): IncomingToolCallUpdate {
  if (before === undefined) return call;
  const present = Object.entries(call).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(present) } as IncomingToolCallUpdate;
}
