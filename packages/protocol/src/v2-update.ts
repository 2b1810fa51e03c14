import type {
  IncomingContentBlock,
  IncomingSessionUpdate,
  IncomingToolCallContent,
  IncomingToolCallUpdate,
} from "@acp-kit/types";
import type {
  IncomingPlanUpdateSessionUpdate,
  IncomingStateUpdateSessionUpdate,
  TerminalOutputChunkSessionUpdate,
  TerminalUpdateSessionUpdate,
  ToolCallCapabilities,
} from "@acp-kit/types/v2";

// Applications use the types of version 1 in both versions. This file has what those types lack: the updates that only
// version 2 has.

/**
 * An update that only version 2 of the protocol has. In the types of version 1 it is an unknown update, and
 * {@link asV2Update} returns it with its type.
 */
export type V2Update =
  /**
   * A whole message, which creates or replaces the message with this id. Ids of user messages, agent messages and
   * thoughts are independent of each other. An absent `content` keeps the content, `null` clears it, and later chunks
   * append to it. `_meta` changes only the members that it has: `null` removes a member.
   */
  | {
      readonly sessionUpdate: "user_message" | "agent_message" | "agent_thought";
      readonly messageId: string;
      readonly content?: readonly IncomingContentBlock[] | null;
      readonly _meta?: Readonly<Record<string, unknown>> | null;
    }
  /** One more item of the content of a tool call. */
  | {
      readonly sessionUpdate: "tool_call_content_chunk";
      readonly toolCallId: string;
      readonly content: IncomingToolCallContent;
    }
  | TerminalUpdateSessionUpdate
  | TerminalOutputChunkSessionUpdate
  | IncomingPlanUpdateSessionUpdate
  /** The agent removes a plan. This update is not stable yet. */
  | { readonly sessionUpdate: "plan_removed"; readonly planId: string }
  | IncomingStateUpdateSessionUpdate;

/**
 * What an update of a tool call has in addition in version 2. There, `null` clears a member. In version 1, `null` keeps
 * the member, so the client replaces a `null` of version 2: by the initial value of the member (`title` by `""`,
 * `content` and `locations` by `[]`, `kind` by `other`, `status` by `pending`, `capabilities` by `{}`), or, if it has
 * none, by its name in `clears`. `status` and `kind` can be any string.
 */
export type V2ToolCallUpdate = IncomingToolCallUpdate & {
  readonly clears?: readonly ("name" | "rawInput" | "rawOutput" | "_meta")[];
  /** Whether the client can cancel the tool call, in `cancel`. An object replaces the previous one. */
  readonly capabilities?: ToolCallCapabilities;
};

const v2Tags: ReadonlySet<string> = /* @__PURE__ */ new Set<V2Update["sessionUpdate"]>([
  "user_message",
  "agent_message",
  "agent_thought",
  "tool_call_content_chunk",
  "terminal_update",
  "terminal_output_chunk",
  "plan_update",
  "plan_removed",
  "state_update",
]);

/**
 * Returns the update with its type if only version 2 of the protocol has it, else `undefined`. Such updates arrive on
 * connections of version 2; for others, use `isKnownSessionUpdate`.
 */
export function asV2Update(update: IncomingSessionUpdate): V2Update | undefined {
  return v2Tags.has(update.sessionUpdate) ? (update as unknown as V2Update) : undefined;
}
