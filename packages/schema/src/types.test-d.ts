// Code that must compile, and code that must not. `tsc -b` checks this file; an unused @ts-expect-error is an error
// too.
import type * as v1 from "./index.js";
import { isKnownSessionUpdate } from "./index.js";
import * as unstable from "./unstable/index.js";
import * as v2 from "./v2/index.js";

declare function assertNever(value: never): never;
declare function use(...values: unknown[]): void;

/**
 * Compiles only for values of exactly this type: otherwise a further argument is missing, and its name gives the
 * reason.
 */
declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...problem: [Actual] extends [Expected]
    ? [Expected] extends [Actual]
      ? []
      : [narrowerThanExpected: never]
    : [notTheExpectedType: never]
) => void;

// ── A received update: known tags narrow, unknown ones stay in `default` ──

export function onUpdate(update: v1.IncomingSessionUpdate): void {
  // @ts-expect-error: without checking the tag, nothing is known
  use(update.entries);

  switch (update.sessionUpdate) {
    case "plan":
      expectType<v1.PlanEntry[]>()(update.entries);
      // @ts-expect-error: a plan has no content
      use(update.content);
      break;
    case "agent_message_chunk":
      expectType<v1.IncomingContentBlock>()(update.content);
      if (update.content.type === "text") expectType<string>()(update.content.text);
      break;
    case "tool_call":
      for (const content of update.content ?? []) {
        if (content.type === "diff") expectType<string>()(content.newText);
      }
      break;
    // @ts-expect-error: misspelled; no variant has this tag
    case "agent_mesage_chunk":
      break;
    default:
      expectType<string>()(`${update.sessionUpdate}`);
  }
}

export function onUnknown(update: v1.IncomingSessionUpdate): unknown {
  if (isKnownSessionUpdate(update)) return undefined;
  // The tag can be shown, the rest is unknown.
  const tag: string = update.sessionUpdate;
  return [tag, update.payload satisfies unknown];
}

// ── After the guard, a switch is exhaustive ──

export function exhaustive(update: v1.IncomingSessionUpdate): void {
  if (!isKnownSessionUpdate(update)) return;
  switch (update.sessionUpdate) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "tool_call":
    case "tool_call_update":
    case "plan":
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
    case "compaction_update":
    case "compaction_summary_chunk":
      return;
    default:
      assertNever(update);
  }
}

export function notExhaustive(update: v1.IncomingSessionUpdate): void {
  if (!isKnownSessionUpdate(update)) return;
  switch (update.sessionUpdate) {
    case "plan":
      return;
    default:
      // @ts-expect-error: the other known updates are left
      assertNever(update);
  }
}

export function notGuarded(update: v1.IncomingRequestPermissionOutcome): void {
  switch (update.outcome) {
    case "cancelled":
    case "selected":
      return;
    default:
      // @ts-expect-error: a newer outcome is left
      assertNever(update);
  }
}

// ── Sent types are closed ──

export const plan: v1.SessionUpdate = { sessionUpdate: "plan", entries: [] };
// @ts-expect-error: misspelled tag
export const misspelledTag: v1.SessionUpdate = { sessionUpdate: "plann", entries: [] };
// @ts-expect-error: misspelled member
export const misspelledMember: v1.SessionUpdate = { sessionUpdate: "plan", entreis: [] };
// @ts-expect-error: a member is missing
export const missingMember: v1.SessionUpdate = { sessionUpdate: "agent_message_chunk" };
// @ts-expect-error: closed enum
export const closedEnum: v1.ToolKind = "raed";
export const openEnum: v1.SessionConfigOptionCategory = "_acme";
// @ts-expect-error: no code can construct an unknown variant; it only arrives
export const forged: v1.IncomingSessionUpdate = { sessionUpdate: "new_thing" };
// Sent values can be received.
export const received: v1.IncomingSessionUpdate = plan;
export const notification: v1.IncomingSessionNotification = { sessionId: "s", update: plan };

export function forward(update: v1.IncomingSessionUpdate): v1.SessionUpdate {
  // @ts-expect-error: an unknown variant can't be sent; a proxy forwards the message unchanged
  return update;
}

// ── A union with a variant without a tag ──

export function connect(server: v1.IncomingMcpServer): string {
  switch (server.type) {
    case "http":
    case "sse":
      return server.url;
    case "stdio":
    case undefined:
      return server.command;
    default:
      return `no such transport: ${server.type}`;
  }
}

export const stdio: v1.McpServer = { name: "files", command: "files-mcp", args: [], env: [] };
// @ts-expect-error: sent values have no tag here
export const tagged: v1.McpServer = { type: "stdio", name: "files", command: "files-mcp", args: [], env: [] };

// ── Optional and nullable ──

export const nulls: v1.ToolCallUpdate = { toolCallId: "t", title: null };
// @ts-expect-error: an absent title is absent, not undefined
export const undefinedMember: v1.ToolCallUpdate = { toolCallId: "t", title: undefined };
// @ts-expect-error: strings have no members in common with it; an empty capability is an object
export const noObject: v1.NoticeCapabilities = "yes";

// ── Named scalars: no mixing, and plain strings are welcome ──

export function ids(sessionId: v1.SessionId): void {
  const plain: string = sessionId;
  const again: v1.SessionId = plain;
  const map = new Map<v1.SessionId, number>([["s", 1]]);
  const record: Record<v1.SessionId, number> = { s: 1 };
  // @ts-expect-error: a session's id is not a tool call's
  const toolCallId: v1.ToolCallId = sessionId;
  use(again, map.get(plain), record[sessionId], toolCallId);
}

// ── Version 2: private tags may be sent; unknown ones still only arrive ──

export const custom: v2.SessionUpdate = { sessionUpdate: "_acme/progress", percent: 10 };
// @ts-expect-error: no underscore, so it is the protocol's, and the protocol does not have it
export const notCustom: v2.SessionUpdate = { sessionUpdate: "progress", percent: 10 };
// @ts-expect-error: misspelled member of a known variant
export const misspelledV2: v2.SessionUpdate = { sessionUpdate: "agent_message", mesageId: "m" };

export function onUpdateV2(update: v2.IncomingSessionUpdate): void {
  switch (update.sessionUpdate) {
    case "agent_message":
      expectType<v2.IncomingContentBlock[] | null | undefined>()(update.content);
      break;
    case "state_update":
      onState(update);
      break;
    case "_acme/progress":
      expectType<unknown>()(update.percent);
      break;
    default:
      expectType<string>()(`${update.sessionUpdate}`);
  }
}

function onState(state: v2.IncomingStateUpdate): void {
  switch (state.state) {
    case "running":
      use(state.background);
      break;
    case "idle":
      if (state.stopReason === "error") expectType<v2.Error | null | undefined>()(state.error);
      break;
    default:
      expectType<string>()(`${state.state}`);
  }
}

export function exhaustiveV2(update: v2.IncomingContentBlock): void {
  if (!v2.isKnownContentBlock(update)) return;
  switch (update.type) {
    case "text":
    case "image":
    case "audio":
    case "resource_link":
    case "resource":
      return;
    default:
      assertNever(update);
  }
}

export const openToolKind: v2.ToolKind = "brew_coffee";

// ── Unstable: the definition `UnknownStateUpdate` and the variant `unknown` live side by side ──

export function onStateUnstable(state: unstable.IncomingStateUpdate): void {
  if (!unstable.isKnownStateUpdate(state)) return;
  if (state.state === "unknown") expectType<unstable.UnknownStateUpdateVariant>()(state);
}

// ── Call maps and handlers ──

export type NewSession = v1.AgentRequests["session/new"];
declare const params: NewSession["incomingParams"];
expectType<v1.IncomingMcpServer[]>()(params.mcpServers);

export const agent: v1.AgentHandlers<{ signal: AbortSignal }> = {
  initialize: () => ({ protocolVersion: 1 }),
  newSession: async ({ cwd }) => ({ sessionId: cwd }),
  prompt: async ({ prompt }, { signal }) => ({
    stopReason: signal.aborted ? "cancelled" : prompt.length > 0 ? "end_turn" : "refusal",
  }),
  cancel: () => {},
};

// @ts-expect-error: every agent handles prompts
export const incomplete: v1.AgentHandlers = {
  initialize: () => ({ protocolVersion: 1 }),
  newSession: () => ({ sessionId: "s" }),
  cancel: () => {},
};

export const client: v1.ClientHandlers = {
  sessionUpdate: ({ update }) => use(update),
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
};
