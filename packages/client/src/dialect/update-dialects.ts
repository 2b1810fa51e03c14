import type { DialectName } from "./dialect-rules.js";
import type { Dialects } from "./dialects.js";
import { isMembers, type Members } from "./members.js";
import { OlderUpdates, olderNames } from "./older-updates.js";
import { hasUnlistedValue } from "./session-dialects.js";

const METHOD = "session/update";
const blockTypes: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource_link", "resource"]);
const terminalMembers = ["terminal_info", "terminal_output", "terminal_exit"];

/** What a message begins with that is a change of mode. */
const modePrefix = "[MODE_UPDATE] ";

type Read = (update: Members, params: Members) => Members;

/**
 * Reads the updates of an agent that speaks a dialect. It changes no message that arrived, it makes another.
 *
 * The updates that there are thousands of cost no more than a look at what is odd about them: the first character of a chunk, the kinds of
 * content of a tool call.
 */
export class UpdateDialects {
  readonly #dialects: Dialects;
  readonly #showsTerminals: boolean;
  /** By `sessionUpdate`: kinds that the decoder would take, in part or as unknown. */
  readonly #before = new Map<unknown, Read>();

  constructor(dialects: Dialects, showsTerminals: boolean) {
    this.#dialects = dialects;
    this.#showsTerminals = showsTerminals;
    this.#register();
  }

  /** Before decoding, for what the decoder does not refuse. */
  before(params: unknown): unknown {
    const update = (params as { update?: { sessionUpdate?: unknown } | null } | null | undefined)?.update;
    const kind = update?.sessionUpdate;
    // The kind is a text that has just arrived: to compare it costs less than to look it up.
    if (kind === "agent_message_chunk" && !mayTellMode(update as Members)) return params;
    if ((kind === "tool_call_update" || kind === "tool_call") && !isOddToolCall(update as Members)) return params;
    const read = this.#before.get(kind);
    if (read === undefined) return params;
    const today = read(update as Members, params as Members);
    return today === update ? params : { ...(params as Members), update: today };
  }

  /** After the decoder has refused it. `undefined`: there is nothing to be done. */
  refused(params: unknown): unknown {
    if (!isMembers(params)) return undefined;
    const update = this.#unfold(params);
    if (update === undefined) return undefined;
    const mended = this.#mend(update);
    if (mended === params.update) return undefined;
    return this.before({
      sessionId: params.sessionId,
      update: mended,
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
          this.#heard("older-update-names");
          return this.#mend(older.read(sessionId, update) ?? update);
        });
      }
    }
    if (allows("mode-as-text")) before.set("agent_message_chunk", (update) => this.#message(update));
    if (allows("null-members")) before.set("available_commands_update", (update) => this.#commands(update));
    if (allows("unlisted-value")) {
      before.set("config_option_update", (update) => {
        if (hasUnlistedValue(update.configOptions)) this.#heard("unlisted-value");
        return update;
      });
    }
    if (allows("bare-tool-content") || allows("agent-terminals")) {
      for (const kind of ["tool_call", "tool_call_update"]) before.set(kind, (update) => this.#toolCall(update));
    }
  }

  /** The update, where `params` has it: under `update` or beside `sessionId`, by its tag or by an older one. */
  #unfold(params: Members): Members | undefined {
    const { update = params } = params;
    if (!isMembers(update)) return undefined;
    const { sessionUpdate, type, ...rest } = update;
    if (update !== params && sessionUpdate !== undefined) return update;
    const tag = sessionUpdate ?? type;
    if (typeof tag !== "string" || !this.#dialects.allows("flat-updates")) return undefined;
    this.#heard("flat-updates");
    if (update !== params) return { ...rest, sessionUpdate: tag };
    const { sessionId: _, ...members } = rest;
    return { ...members, sessionUpdate: tag };
  }

  #mend(update: Members): Members {
    const { sessionUpdate: kind, content, currentModeId, modeId } = update;
    if (typeof kind !== "string") return update;
    if (kind.endsWith("_chunk") && !isMembers(content) && this.#dialects.allows("plain-content")) {
      const text = plainText(content);
      if (text === undefined) return update;
      this.#heard("plain-content");
      return { ...update, content: { type: "text", text } };
    }
    if (kind === "current_mode_update" && currentModeId === undefined && typeof modeId === "string") {
      if (!this.#dialects.allows("mode-id")) return update;
      this.#heard("mode-id");
      return { ...update, currentModeId: modeId };
    }
    if (kind === "tool_call" && update.title === null && this.#dialects.allows("null-members")) {
      this.#heard("null-members");
      return { ...update, title: typeof update.name === "string" ? update.name : "" };
    }
    return update;
  }

  /** It {@link mayTellMode}. */
  #message(update: Members): Members {
    const { text } = update.content as { text: string };
    if (!text.startsWith(modePrefix)) return update;
    const currentModeId = text.slice(modePrefix.length);
    if (currentModeId === "" || /\s/.test(currentModeId)) return update;
    this.#heard("mode-as-text");
    return {
      sessionUpdate: "current_mode_update",
      currentModeId,
      ...(update._meta != null && { _meta: update._meta }),
    };
  }

  #commands(update: Members): Members {
    const { availableCommands: commands } = update;
    if (!Array.isArray(commands) || !commands.some((command) => isMembers(command) && command.description === null)) {
      return update;
    }
    this.#heard("null-members");
    const named = commands.map((command) =>
      isMembers(command) && command.description === null ? { ...command, description: "" } : command,
    );
    return { ...update, availableCommands: named };
  }

  /** It {@link isOddToolCall}. */
  #toolCall(update: Members): Members {
    const { content, _meta: meta } = update;
    const items: readonly unknown[] = Array.isArray(content) ? content : [];
    const shows = !this.#showsTerminals && items.some((item) => isMembers(item) && item.type === "terminal");
    if (shows || (isMembers(meta) && terminalMembers.some((name) => name in meta))) this.#heard("agent-terminals");
    const isBare = (item: unknown): boolean => isMembers(item) && blockTypes.has(item.type);
    if (!this.#dialects.allows("bare-tool-content") || !items.some(isBare)) return update;
    this.#heard("bare-tool-content");
    return { ...update, content: items.map((item) => (isBare(item) ? { type: "content", content: item } : item)) };
  }

  #heard(rule: DialectName): void {
    if (this.#dialects.allows(rule)) this.#dialects.heard(rule, METHOD);
  }
}

/** Every chunk of a message comes by here, so this is quick to say no: by the first character. */
function mayTellMode({ content }: Members): boolean {
  const text = (content as { text?: unknown } | null | undefined)?.text;
  return typeof text === "string" && text.charCodeAt(0) === modePrefix.charCodeAt(0);
}

/** Whether a call has anything but content and diffs, with nothing in its `_meta`; most have not. */
function isOddToolCall({ content, _meta: meta }: Members): boolean {
  if (meta != null) return true;
  if (!Array.isArray(content)) return false;
  for (let index = 0; index < content.length; index++) {
    const type = (content[index] as { type?: unknown } | null | undefined)?.type;
    if (type !== "content" && type !== "diff") return true;
  }
  return false;
}

/** What a string, or a list of texts, says. */
function plainText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: unknown) => (isMembers(block) && block.type === "text" ? block.text : block));
  return texts.every((text) => typeof text === "string") ? texts.join("") : undefined;
}
