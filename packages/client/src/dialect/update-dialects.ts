import { isJsonObject, type JsonObject } from "@acp-kit/protocol/internal";
import { terminalMembers } from "../transcript/tool-call.js";
import type { DialectName } from "./dialect-rules.js";
import type { Dialects } from "./dialects.js";
import { OlderUpdates, olderNames } from "./older-updates.js";
import { hasUnlistedValue } from "./session-dialects.js";

const METHOD = "session/update";
const blockTypes: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource_link", "resource"]);

/** The prefix of a message with which some agents report a change of mode. */
const modePrefix = "[MODE_UPDATE] ";

type Read = (update: JsonObject, params: JsonObject) => JsonObject;

/**
 * Applies the compatibility rules to updates. It never changes a message, but returns a new one.
 *
 * Most updates are chunks and tool calls. To find out quickly whether a rule applies, the class reads only the first
 * character of a chunk's text, and only the `type` of each content item of a tool call.
 */
export class UpdateDialects {
  readonly #dialects: Dialects;
  readonly #showsTerminals: boolean;
  /**
   * The conversions that run before decoding, by `sessionUpdate`. The decoder would accept these updates in spite of
   * their deviation.
   */
  readonly #before = new Map<unknown, Read>();

  constructor(dialects: Dialects, showsTerminals: boolean) {
    this.#dialects = dialects;
    this.#showsTerminals = showsTerminals;
    this.#register();
  }

  /** Converts params before decoding, because the decoder accepts some updates in spite of their deviation. */
  before(params: unknown): unknown {
    const update = (params as { update?: { sessionUpdate?: unknown } | null } | null | undefined)?.update;
    const kind = update?.sessionUpdate;
    // For the most frequent kinds, `===` is faster than a look-up in the map, because a newly parsed string has no hash
    // yet.
    if (kind === "agent_message_chunk" && !mayBeMode(update as JsonObject)) return params;
    if ((kind === "tool_call_update" || kind === "tool_call") && !isOddToolCall(update as JsonObject)) return params;
    const read = this.#before.get(kind);
    if (read === undefined) return params;
    const current = read(update as JsonObject, params as JsonObject);
    return current === update ? params : { ...(params as JsonObject), update: current };
  }

  /** Converts params that the decoder has refused. Returns `undefined` if no rule applies. */
  refused(params: unknown): unknown {
    if (!isJsonObject(params)) return undefined;
    const update = this.#unfold(params);
    if (update === undefined) return undefined;
    const repaired = this.#repair(update);
    if (repaired === params.update) return undefined;
    return this.before({
      sessionId: params.sessionId,
      update: repaired,
      ...(params._meta != null && { _meta: params._meta }),
    });
  }

  #register(): void {
    const before = this.#before;
    const allows = (rule: DialectName): boolean => this.#dialects.allows(rule);
    if (allows("older-update-names")) {
      const older = new OlderUpdates();
      for (const name of olderNames) {
        before.set(name, (update, { sessionId }) => {
          this.#markNeeded("older-update-names");
          return this.#repair(older.read(sessionId, update) ?? update);
        });
      }
    }
    if (allows("mode-as-text")) before.set("agent_message_chunk", (update) => this.#message(update));
    if (allows("null-members") || allows("slash-names"))
      before.set("available_commands_update", (update) => this.#commands(update));
    if (allows("unlisted-value")) {
      before.set("config_option_update", (update) => {
        if (hasUnlistedValue(update.configOptions)) this.#markNeeded("unlisted-value");
        return update;
      });
    }
    if (allows("bare-tool-content") || allows("agent-terminals")) {
      for (const kind of ["tool_call", "tool_call_update"]) before.set(kind, (update) => this.#toolCall(update));
    }
  }

  /**
   * Returns the update in `params`. Its members are in `update` or beside `sessionId`, its kind is in `sessionUpdate`
   * or `type`.
   */
  #unfold(params: JsonObject): JsonObject | undefined {
    const { update = params } = params;
    if (!isJsonObject(update)) return undefined;
    const { sessionUpdate, type, ...rest } = update;
    if (update !== params && sessionUpdate !== undefined) return update;
    const tag = sessionUpdate ?? type;
    if (typeof tag !== "string" || !this.#dialects.allows("flat-updates")) return undefined;
    this.#markNeeded("flat-updates");
    if (update !== params) return { ...rest, sessionUpdate: tag };
    const { sessionId: _, ...members } = rest;
    return { ...members, sessionUpdate: tag };
  }

  #repair(update: JsonObject): JsonObject {
    const { sessionUpdate: kind, content, currentModeId, modeId } = update;
    if (typeof kind !== "string") return update;
    if (kind.endsWith("_chunk") && !isJsonObject(content) && this.#dialects.allows("plain-content")) {
      const block = blockOf(content);
      if (block === undefined) return update;
      this.#markNeeded("plain-content");
      return { ...update, content: block };
    }
    if (kind === "current_mode_update" && currentModeId === undefined && typeof modeId === "string") {
      if (!this.#dialects.allows("mode-id")) return update;
      this.#markNeeded("mode-id");
      return { ...update, currentModeId: modeId };
    }
    if (kind === "tool_call" && update.title === null && this.#dialects.allows("null-members")) {
      this.#markNeeded("null-members");
      return { ...update, title: typeof update.name === "string" ? update.name : "" };
    }
    return update;
  }

  /**
   * Converts a message with which some agents report a change of mode. Called only for updates for which
   * {@link mayBeMode} returns `true`.
   */
  #message(update: JsonObject): JsonObject {
    const { text } = update.content as { text: string };
    if (!text.startsWith(modePrefix)) return update;
    const currentModeId = text.slice(modePrefix.length);
    if (currentModeId === "" || /\s/.test(currentModeId)) return update;
    this.#markNeeded("mode-as-text");
    return {
      sessionUpdate: "current_mode_update",
      currentModeId,
      ...(update._meta != null && { _meta: update._meta }),
    };
  }

  #commands(update: JsonObject): JsonObject {
    const { availableCommands: commands } = update;
    if (!Array.isArray(commands)) return update;
    const read = commands.map((command: unknown) => (isJsonObject(command) ? this.#command(command) : command));
    return read.every((command, index) => command === commands[index])
      ? update
      : { ...update, availableCommands: read };
  }

  #command(command: JsonObject): JsonObject {
    let { name, description } = command;
    if (description === null && this.#dialects.allows("null-members")) {
      this.#markNeeded("null-members");
      description = "";
    }
    if (typeof name === "string" && /^\/./.test(name) && this.#dialects.allows("slash-names")) {
      this.#markNeeded("slash-names");
      name = name.slice(1);
    }
    return name === command.name && description === command.description ? command : { ...command, name, description };
  }

  /** Converts the content of a tool call. Called only for updates for which {@link isOddToolCall} returns `true`. */
  #toolCall(update: JsonObject): JsonObject {
    const { content, _meta: meta } = update;
    const items: readonly unknown[] = Array.isArray(content) ? content : [];
    const shows = !this.#showsTerminals && items.some((item) => isJsonObject(item) && item.type === "terminal");
    if (shows || (isJsonObject(meta) && terminalMembers.some((name) => name in meta)))
      this.#markNeeded("agent-terminals");
    const isBare = (item: unknown): boolean => isJsonObject(item) && blockTypes.has(item.type);
    if (!this.#dialects.allows("bare-tool-content") || !items.some(isBare)) return update;
    this.#markNeeded("bare-tool-content");
    return { ...update, content: items.map((item) => (isBare(item) ? { type: "content", content: item } : item)) };
  }

  #markNeeded(rule: DialectName): void {
    if (this.#dialects.allows(rule)) this.#dialects.markNeeded(rule, METHOD);
  }
}

/**
 * Returns whether the first character of a chunk is that of {@link modePrefix}. It must be fast, because it is called
 * for every chunk.
 */
function mayBeMode({ content }: JsonObject): boolean {
  const text = (content as { text?: unknown } | null | undefined)?.text;
  return typeof text === "string" && text.charCodeAt(0) === modePrefix.charCodeAt(0);
}

/** Returns whether a tool call has a `_meta`, or content other than blocks and diffs. Most tool calls have neither. */
function isOddToolCall({ content, _meta: meta }: JsonObject): boolean {
  if (meta != null) return true;
  if (!Array.isArray(content)) return false;
  for (let index = 0; index < content.length; index++) {
    const type = (content[index] as { type?: unknown } | null | undefined)?.type;
    if (type !== "content" && type !== "diff") return true;
  }
  return false;
}

/**
 * Returns a string or a list of blocks as one block, or `undefined` for other content. A list becomes its joined text,
 * because a chunk has room for one block; a list without text becomes its first block.
 */
function blockOf(content: unknown): unknown {
  if (typeof content === "string") return { type: "text", text: content };
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: unknown) => (isJsonObject(block) ? textIn(block) : block));
  const known = texts.filter((text) => typeof text === "string");
  return known.length > 0 || content.length === 0 ? { type: "text", text: known.join("") } : content.find(isJsonObject);
}

/** Returns the text of a block, also of an embedded resource or of a kind of block that this version doesn't know. */
function textIn({ text, resource }: JsonObject): unknown {
  return text ?? (isJsonObject(resource) ? resource.text : undefined);
}
