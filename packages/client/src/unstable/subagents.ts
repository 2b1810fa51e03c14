import { CapabilityError } from "@acp-kit/protocol";
import type { LiveSession } from "../session/live-session.js";
import type { Session } from "../session/session.js";
import { extendAll } from "../transcript/extend-all.js";
import { ChildSessions } from "./child-sessions.js";
import { feature, type UnstableFeature } from "./unstable-feature.js";

/**
 * Lets the agent show its subagents as child sessions. The agent announces them on a session; then the updates of the
 * child sessions reach the listeners of that session, with `context.child`, and their permission requests, files,
 * terminals and forms reach the handlers of the client, with that session as `context.session`. Updates of child
 * sessions are no part of a turn: `turn.text()` does not contain them. `session.transcript.snapshot.children` has the
 * state and the transcript of each child session.
 *
 * The client accepts the current form of the announcement and the earlier one that agents still send. It ignores more
 * than 1,000 child sessions, and those that can't be right, such as a session that is its own child; it reports each
 * as the diagnostic `child_session_ignored`.
 *
 * @experimental
 * @example
 * ```ts
 * const agent = await connectAgent(source, { unstable: [subagents] });
 * ```
 */
export const subagents: UnstableFeature = feature({
  name: "subagents",
  // Some agents know only the form with `_meta`, because their library removes unknown capabilities
  capabilities: { ...{ subagents: {} }, _meta: { subagents: {} } },
  extendTranscript: extendAll,
  routes: (sessions, report) => new ChildSessions(sessions, report),
});

/**
 * Cancels the work of a child session, which does not end it. It does nothing else: the permission requests of the
 * child session stay open until the agent cancels them.
 *
 * @throws {CapabilityError} when the agent did not allow that for this child session, or the child is unknown.
 * @experimental
 */
export function cancelChild(session: Session, childId: string): void {
  const { children = {} } = session.transcript.snapshot;
  const child = Object.hasOwn(children, childId) ? children[childId] : undefined;
  if (child?.canCancel !== true) throw new CapabilityError("session/cancel of a child session", "capabilities.cancel");
  void (session as LiveSession).state.peer.notify("session/cancel", { sessionId: childId });
}
