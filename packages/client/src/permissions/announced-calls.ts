import type { IncomingToolCallUpdate } from "@acp-kit/types";
import type { Draft } from "../transcript/writable.js";

/**
 * What an agent told of its calls that are not done yet. A permission request often only names the call; rules and people want its kind, its title
 * and its paths.
 */
export class AnnouncedCalls {
  readonly #max: number;
  readonly #calls = new Map<string, Draft<IncomingToolCallUpdate>>();

  /** Beyond `max` calls the oldest is forgotten: some agents never end theirs. */
  constructor(max = 1_000) {
    this.#max = max;
  }

  get(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls.get(toolCallId);
  }

  // Agents send thousands of these: what is kept is changed in place, and whoever asks for it makes a copy.
  note(update: IncomingToolCallUpdate): void {
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

/** Each member by its name: to write under a name that is only known at run time costs several times as much. */
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

/** A member that the schema doesn't know, be it called `__proto__`. */
function keep(kept: object, member: string, value: unknown): void {
  if (value == null) return;
  Object.defineProperty(kept, member, { value, enumerable: true, configurable: true, writable: true });
}

/** A tool call with what was told before where it tells nothing: absent means unchanged. */
export function fillIn(
  call: IncomingToolCallUpdate,
  before: IncomingToolCallUpdate | undefined,
): IncomingToolCallUpdate {
  if (before === undefined) return call;
  const told = Object.entries(call).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(told) } as IncomingToolCallUpdate;
}
