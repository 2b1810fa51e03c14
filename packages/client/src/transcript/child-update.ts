import type { IncomingSessionUpdate } from "@acp-kit/types";

/** What an update says about a child session. `null` clears a member, and an absent member is kept. */
export interface ChildUpdate {
  readonly sessionId: string;
  readonly title: string | null | undefined;
  readonly description: string | null | undefined;
  readonly cwd: string | null | undefined;
  readonly state: string | null | undefined;
  readonly stopReason: string | undefined;
  readonly canCancel: boolean | undefined;
}

const tags: ReadonlySet<string> = new Set(["subagent_update", "subagent_spawned", "subagent_state_update"]);

/** The maximum length of a name or a description; the rest is left out. */
const MAX_LENGTH = 10_000;

/**
 * Reads an update about a child session; returns `undefined` for other updates. Agents send two forms: the current one
 * (`subagent_update` with `sessionId`, `title`, `description` and a state object) and an earlier draft
 * (`subagent_spawned` and `subagent_state_update` with `subagentSessionId`, `name`, `task` and a state name), and some
 * mix the members of both.
 */
export function childUpdateOf(update: IncomingSessionUpdate): ChildUpdate | undefined {
  const tag: string = update.sessionUpdate;
  if (!tags.has(tag)) return undefined;
  const members = update as unknown as Readonly<Record<string, unknown>>;
  const { state, capabilities } = members;
  const sessionId = members.sessionId ?? members.subagentSessionId;
  if (typeof sessionId !== "string") return undefined;
  const snapshot = isObject(state) ? state : { state };
  return {
    sessionId,
    title: textOrNull(members.title === undefined ? members.name : members.title),
    description: textOrNull(members.description === undefined ? members.task : members.description),
    cwd: textOrNull(members.cwd),
    state: textOrNull(tag === "subagent_spawned" ? (snapshot.state ?? "running") : snapshot.state),
    stopReason: textOrNull(snapshot.stopReason) ?? undefined,
    canCancel: capabilities === undefined ? undefined : isObject(capabilities) && isOn(capabilities.cancel),
  };
}

/** Returns whether a child session in this state works. */
export function isWorking(state: string | null | undefined): boolean {
  return state === "running" || state === "requires_action";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The current form has an object, the earlier one also `true`. */
function isOn(capability: unknown): boolean {
  return capability === true || isObject(capability);
}

function textOrNull(value: unknown): string | null | undefined {
  return typeof value === "string" ? value.slice(0, MAX_LENGTH) : value === null ? null : undefined;
}
