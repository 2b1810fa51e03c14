import { asText, member, shown } from "../wire/values.js";
import type { AgentContext, OpenTurn, TestSession } from "./agent-context.js";
import type { Incoming, RecordedResponse } from "./agent-messages.js";
import type { PromptPurpose } from "./prompt-purposes.js";
import { contentBefore } from "./served-request.js";
import { streamedUpdates } from "./session-history.js";
import { fileInCwd } from "./test-files.js";

/** A turn counts as lasting after this many times `quietMs`. */
const LASTING = 10;

/** Starts a long turn and waits for its first update. Skips the scenario if the turn ends before. */
export async function longTurn(context: AgentContext, session: TestSession): Promise<OpenTurn> {
  const turn = context.prompt(session, context.text("long"));
  const first = await context.updateOf(session, turn, ({ sessionUpdate }) =>
    streamedUpdates.has(asText(sessionUpdate)),
  );
  const { response } = turn.prompt;
  if (!first && response?.error) context.inconclusive(`the long turn failed: ${shown(response.error)}`);
  if (!first) context.skip("the long turn ended immediately, or sent no update: --prompt long=…");
  return turn;
}

/** Runs turns in a fresh process and cancels each: the control of scenarios that do more than cancel. */
export async function cancelledTurns(context: AgentContext, purposes: readonly ("long" | "text")[]): Promise<void> {
  const session = await context.openSession();
  for (const purpose of purposes) {
    const turn = purpose === "long" ? await longTurn(context, session) : context.prompt(session, context.text(purpose));
    session.peer.notify("session/cancel", { sessionId: session.id });
    await context.endOf(session, turn);
  }
}

/** Starts a {@link longTurn}, and waits `quietMs` times {@link LASTING}. Skips if the turn ends before. */
export async function lastingTurn(context: AgentContext, session: TestSession): Promise<OpenTurn> {
  const turn = await longTurn(context, session);
  if (!(await isStillRunning(session, turn, LASTING * context.options.quietMs))) {
    context.skip("the long turn ended too soon by itself: --prompt long=…");
  }
  return turn;
}

/**
 * A turn in which the agent waits for the client's response to a request, which {@link release} sends.
 * {@link checkWait} checks that such a turn doesn't end by itself before.
 */
export interface WaitingTurn extends OpenTurn {
  readonly purpose: WaitingPurpose;
  /** The request without a response. */
  readonly request: Incoming;
  /** Responds to the request, as a client does after its user has cancelled. */
  release(): Promise<void>;
}

/** The purposes of prompts that make an agent wait for its client, each with the request that the agent sends. */
const requestOf: Readonly<Record<WaitingPurpose, string>> = {
  permission: "session/request_permission",
  form: "elicitation/create",
  read: "fs/read_text_file",
  terminal: "terminal/create",
};

type WaitingPurpose = Extract<PromptPurpose, "permission" | "form" | "read" | "terminal">;

/** Starts a turn that waits for the client's response to a request. `undefined` if no known prompt leads to one. */
export async function waitingTurn(
  context: AgentContext,
  session: TestSession,
  purposes: readonly WaitingPurpose[] = Object.keys(requestOf) as WaitingPurpose[],
): Promise<WaitingTurn | undefined> {
  for (const purpose of purposes) {
    if (context.options.prompts[purpose] === undefined) continue;
    const turn = await waitingFor(context, session, purpose);
    if (turn) return turn;
  }
  return undefined;
}

/**
 * Runs the control for a finding about the end of a waiting turn. An agent may stop waiting after a time limit of its
 * own, so the kit starts the same turn again and does not stop it. The scenario is inconclusive unless this turn waits
 * longer than the first one did.
 */
export async function checkWait(
  context: AgentContext,
  session: TestSession,
  { request, purpose }: WaitingTurn,
  { response }: StoppedTurn,
): Promise<void> {
  const waitedMs = response.atMs - request.atMs;
  const control = await waitingFor(context, session, purpose);
  const isWaiting =
    control && (await isStillRunning(session, control, Math.max(2 * waitedMs, LASTING * context.options.quietMs)));
  await control?.release();
  if (!isWaiting) context.inconclusive("a turn that waits for the client's response may end by itself");
  await context.endOf(session, control);
}

async function waitingFor(
  context: AgentContext,
  session: TestSession,
  purpose: WaitingPurpose,
): Promise<WaitingTurn | undefined> {
  const { peer } = session;
  const method = requestOf[purpose];
  const { clientSide } = peer;
  const held: Incoming[] = [];
  peer.clientSide = (request) => {
    if (request.method !== method) return clientSide(request, peer);
    held.push(request);
    return "hold";
  };
  const release = async (): Promise<void> => {
    peer.clientSide = clientSide;
    for (const request of held) {
      const reply = cancelledReplies[method] ?? (await clientSide(request, peer));
      if (reply !== "hold" && !peer.exit) peer.respond(request, reply);
    }
  };
  const path = await fileInCwd(context.files, `${purpose}.txt`, contentBefore);
  const turn = context.prompt(session, context.text(purpose, { path }));
  const request = await context.requestIn(session, turn, method);
  if (request && (await isStillRunning(session, turn, context.options.quietMs))) {
    return { ...turn, purpose, request, release };
  }
  await release();
  await context.endOf(session, turn);
  return undefined;
}

/** The responses of a client whose user has cancelled. Other requests get their usual response. */
const cancelledReplies: Readonly<Record<string, { readonly result: object }>> = {
  "session/request_permission": { result: { outcome: { outcome: "cancelled" } } },
  "elicitation/create": { result: { action: "cancel" } },
};

/**
 * Returns whether a turn is still running after some time. At the end of this time, the kit sends another request and
 * waits for its response: the turn has ended if the response to its prompt has arrived by then. A timer alone would not
 * be enough, because on a busy machine it may fire before the response to the turn has been read.
 */
async function isStillRunning(session: TestSession, { prompt }: OpenTurn, ms: number): Promise<boolean> {
  await session.peer.quiet(ms);
  await session.peer.fence();
  return prompt.response === undefined;
}

/** The end of a turn after a message that should end it. */
export interface StoppedTurn<Sent = unknown> {
  readonly response: RecordedResponse;
  /** What `stop` returned. */
  readonly sent: Sent;
  readonly isCancelled: boolean;
}

/**
 * Sends a message that should end a turn, and waits for the end. If the turn waits for the client, the kit responds to
 * its request after the agent has read the message.
 */
export async function stopTurn<Sent extends { readonly seq: number }>(
  context: AgentContext,
  session: TestSession,
  turn: OpenTurn | WaitingTurn,
  stop: () => Sent,
  requirement: string,
): Promise<StoppedTurn<Sent>> {
  const { peer } = session;
  const sent = stop();
  if ("release" in turn) {
    // Messages are read in order: a response to this request shows that the agent has read the message before it.
    const fence = peer.sendRequest("_conformance/fence", {}, `fence-after-${sent.seq}`);
    const ids = [fence.id, turn.prompt.id];
    const isRead = ({ kind, message }: Incoming): boolean => kind === "response" && ids.includes(message.id);
    await peer.next(isRead, { since: sent.seq, timeoutMs: LASTING * context.options.quietMs });
    await turn.release();
  }
  // The control: the same turn without the stop.
  const control = async (): Promise<void> => {
    if (!("release" in turn)) return;
    const other = await context.openSession();
    const waiting = await waitingFor(context, other, turn.purpose);
    if (!waiting) return;
    await waiting.release();
    await context.endOf(other, waiting);
  };
  const response = await context.responseOrControl(session, turn.prompt, { requirement }, control);
  return { response, sent, isCancelled: member(response.result, "stopReason") === "cancelled" };
}
