import type { IncomingToolCallUpdate } from "@acp-kit/types";
import type { Draft } from "../transcript/writable.js";

/** What {@link merge} knows by name, and the tag, which is no part of the call. */
const known: ReadonlySet<string> = new Set([
  "sessionUpdate",
  "toolCallId",
  "title",
  "name",
  "kind",
  "status",
  "content",
  "locations",
  "rawInput",
  "rawOutput",
  "_meta",
]);

/**
 * What an agent told of its calls that are not done yet. A permission request often only names the call; rules and people want its kind, its title
 * and its paths.
 */
export class AnnouncedCalls {
  readonly #max: number;
  readonly #calls = new Map<string, Draft<IncomingToolCallUpdate>>();
  /** The call that was told of last: most often it is told of again. */
  #latest: Draft<IncomingToolCallUpdate> | undefined;

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
      this.#latest = undefined;
      return;
    }
    let kept = this.#latest;
    if (kept?.toolCallId !== toolCallId) {
      kept = this.#calls.get(toolCallId) ?? this.#add(toolCallId);
      this.#latest = kept;
    }
    merge(kept, update);
  }

  #add(toolCallId: string): Draft<IncomingToolCallUpdate> {
    const call: Draft<IncomingToolCallUpdate> = { toolCallId };
    this.#calls.set(toolCallId, call);
    const [oldest] = this.#calls.size > this.#max ? this.#calls.keys() : [];
    if (oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}

/** Member by member: to write under a name that is only known at run time costs several times as much. */
function merge(kept: Draft<IncomingToolCallUpdate>, update: IncomingToolCallUpdate): void {
  const { title, name, kind, status, content, locations, rawInput, rawOutput, _meta } = update;
  if (title != null) kept.title = title;
  if (name != null) kept.name = name;
  if (kind != null) kept.kind = kind;
  if (status != null) kept.status = status;
  if (content != null) kept.content = content;
  if (locations != null) kept.locations = locations;
  if (rawInput != null) kept.rawInput = rawInput;
  if (rawOutput != null) kept.rawOutput = rawOutput;
  if (_meta != null) kept._meta = _meta;
  for (const member in update) {
    if (known.has(member)) continue;
    const value = update[member as keyof IncomingToolCallUpdate];
    if (value == null) continue;
    // Even `__proto__` is a member like any other.
    Object.defineProperty(kept, member, { value, enumerable: true, configurable: true, writable: true });
  }
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
