import { after } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { changedPaths } from "../codec/diff.js";
import type { Lost } from "../codec/loss.js";
import type { JsonObject } from "../codec/objects.js";
import { isFinal, toolCallToV1 } from "../codec/tool-call.js";
import { toolContentToV1 } from "../codec/tool-content.js";
import { BoundedMap } from "./bounded-map.js";
import { ShownTerminals } from "./shown-terminals.js";

/** The number of tool calls that are remembered, for each session. */
const MAX_CALLS = 1_000;
const MAX_ITEMS = 256;
/** The length of the JSON of a call's content above which chunks are left out. */
const MAX_CONTENT = 1_000_000;
/** The length of all calls above which the oldest calls are forgotten. */
const MAX_TOTAL = 16_000_000;
/** How often the content of a call that grows is sent again. */
const RESEND_MS = 100;

interface Call {
  readonly toolCallId: string;
  title?: string | undefined;
  /** The content, to which chunks append. */
  content: v2.IncomingToolCallContent[];
  /** The length of the JSON of the content. */
  contentLength: number;
  meta: JsonObject;
  /** The length of the title and of the JSON of `meta`. */
  labelLength: number;
  /** Whether content has changed that was not sent yet. */
  isStale: boolean;
}

/** Where the updates of tool calls are sent. */
interface CallUpdates {
  send(update: v1.SessionUpdate): void;
  readonly lost: Lost;
  readonly timer?: Timer;
}

/** Runs a function after a time in milliseconds. The returned function cancels it. */
export type Timer = (ms: number, run: () => void) => () => void;

/**
 * The tool calls of one session, as a client of version 1 sees them. The first update of a call is a `tool_call`, and a
 * change of the content sends the whole content. Chunks and terminal output are collected for a short time.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls
 */
export class ShownToolCalls {
  readonly #calls: BoundedMap<string, Call>;
  readonly #terminals: ShownTerminals;
  readonly #updates: CallUpdates;
  readonly #shows = new BoundedMap<string, string>(MAX_CALLS);
  #length = 0;
  #stopTimer: (() => void) | undefined;

  constructor(updates: CallUpdates) {
    this.#updates = updates;
    this.#calls = new BoundedMap(MAX_CALLS, ({ contentLength, labelLength }) => {
      this.#length -= contentLength + labelLength;
      updates.lost("too_many_items");
    });
    this.#terminals = new ShownTerminals(updates.lost);
  }

  /** Converts and sends an update. `null` clears a member, and an absent member is unchanged. */
  update(update: v2.IncomingToolCallUpdate): void {
    const known = this.#calls.get(update.toolCallId);
    const call = known ?? newCall(update.toolCallId);
    const converted = this.#converted(call, update);
    this.#updates.send(
      known === undefined
        ? ({ title: "", ...converted, sessionUpdate: "tool_call" } as v1.ToolCallSessionUpdate)
        : { ...converted, sessionUpdate: "tool_call_update" },
    );
    if (known === undefined) this.#length += call.contentLength + call.labelLength;
    this.#calls.set(update.toolCallId, call);
    this.#limit();
  }

  /** Returns a tool call for a permission request. The request updates the call, but does not announce it. */
  subject(update: v2.IncomingToolCallUpdate): v1.ToolCallUpdate {
    this.flush();
    const call = this.#calls.get(update.toolCallId) ?? newCall(update.toolCallId);
    const { _meta: _, ...converted } = this.#converted(call, update);
    // The rules of a client must see each path, and a change without a text has no diff in version 1.
    const shown = new Set<unknown>();
    for (const each of [...(converted.content ?? []), ...(converted.locations ?? [])])
      if ("path" in each) shown.add(each.path);
    const hidden = changedPaths(update.content ?? []).filter((path) => !shown.has(path));
    const locations = [...(converted.locations ?? []), ...hidden.map((path) => ({ path }))];
    return {
      ...converted,
      ...(hidden.length > 0 && { locations }),
      ...(update._meta && { _meta: update._meta }),
    };
  }

  /** The title that the agent has sent for a call. */
  titleOf(toolCallId: string): string | undefined {
    return this.#calls.get(toolCallId)?.title;
  }

  /** The content of a call that the client has. */
  contentOf(toolCallId: string): v1.ToolCallContent[] {
    return this.#contentToV1(this.#calls.get(toolCallId)?.content ?? []);
  }

  /** Appends an item to the content. Version 1 only replaces the whole content. */
  chunk({ toolCallId, content }: v2.IncomingToolCallContentChunk): void {
    if (!this.#calls.has(toolCallId)) this.update({ toolCallId });
    const call = this.#calls.get(toolCallId) as Call;
    const length = JSON.stringify(content).length;
    if (call.content.length >= MAX_ITEMS || call.contentLength + length > MAX_CONTENT) {
      this.#updates.lost("tool_call_content");
      return;
    }
    call.content.push(content);
    this.#resize(call, "contentLength", call.contentLength + length);
    this.#remember(call, [content]);
    this.#isStale(call);
    this.#limit();
  }

  terminalUpdate(update: v2.TerminalUpdate): void {
    this.#terminals.update(update);
    this.#terminalChanged(update.terminalId);
  }

  terminalOutput(chunk: v2.TerminalOutputChunk): void {
    this.#terminals.append(chunk);
    this.#terminalChanged(chunk.terminalId);
  }

  /** Sends the content that has changed. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const call of this.#calls.values()) {
      if (!call.isStale) continue;
      call.isStale = false;
      const { toolCallId } = call;
      this.#updates.send({ sessionUpdate: "tool_call_update", toolCallId, content: this.#contentToV1(call.content) });
    }
  }

  close(): void {
    this.#stopTimer?.();
  }

  #converted(call: Call, update: v2.IncomingToolCallUpdate): v1.ToolCallUpdate {
    const { content, _meta } = update;
    const converted = toolCallToV1(update, this.#updates.lost);
    if (update.title !== undefined) call.title = update.title ?? undefined;
    if (content !== undefined) {
      call.content = [...(content ?? [])];
      this.#resize(call, "contentLength", JSON.stringify(call.content).length);
      this.#remember(call, call.content);
    }
    if (content !== undefined || (call.isStale && isFinal(update.status))) {
      converted.content = this.#contentToV1(call.content);
      call.isStale = false;
    }
    if (_meta) call.meta = patched(call.meta, _meta);
    else if (_meta === null) call.meta = {};
    if (update.title !== undefined || _meta !== undefined)
      this.#resize(call, "labelLength", (call.title ?? "").length + JSON.stringify(call.meta).length);
    // In version 2 an object patches `_meta` by key. Version 1 has no such rule, so the whole object is sent.
    return _meta === undefined ? converted : { ...converted, _meta: call.meta };
  }

  #contentToV1(content: readonly v2.IncomingToolCallContent[]): v1.ToolCallContent[] {
    return content.flatMap((item) =>
      toolContentToV1(item, (terminal) => this.#terminals.contentOf(terminal), this.#updates.lost),
    );
  }

  #remember({ toolCallId }: Call, content: readonly v2.IncomingToolCallContent[]): void {
    for (const item of content)
      if (item.type === "terminal") this.#shows.set((item as v2.Terminal).terminalId, toolCallId);
  }

  #terminalChanged(terminalId: string): void {
    const call = this.#calls.get(this.#shows.get(terminalId) ?? "");
    if (call === undefined) return;
    if (call.content.some((item) => item.type === "terminal" && item.terminalId === terminalId)) this.#isStale(call);
  }

  #resize(call: Call, part: "contentLength" | "labelLength", length: number): void {
    if (this.#calls.has(call.toolCallId)) this.#length += length - call[part];
    call[part] = length;
  }

  /** Forgets the oldest calls if all calls together are too long. */
  #limit(): void {
    while (this.#length > MAX_TOTAL && this.#calls.size > 1) this.#calls.forgetOldest();
  }

  #isStale(call: Call): void {
    call.isStale = true;
    this.#stopTimer ??= (this.#updates.timer ?? after)(RESEND_MS, () => this.flush());
  }
}

function newCall(toolCallId: string): Call {
  return { toolCallId, content: [], contentLength: 0, meta: {}, labelLength: 0, isStale: false };
}

function patched(meta: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...meta, ...patch }).filter(([, value]) => value !== null));
}
