import type { Deletions } from "./deletions.js";
import type { Failovers } from "./failovers.js";
import { Random } from "./random.js";
import type { FaultKind, Record as Log } from "./record.js";
import type { Interruption, SentPrompt, SimClient } from "./sim-client.js";
import type { World } from "./world.js";

export interface InterruptionsParts {
  readonly world: World;
  /** The seed of separate random numbers for interruptions. */
  readonly seed: number;
  readonly clients: readonly SimClient[];
}

/**
 * Lets clients cancel turns of sessions, and close sessions, that they have not opened. Some clients send a prompt
 * right after a cancellation.
 */
export class Interruptions {
  readonly #parts: InterruptionsParts;
  readonly #random: Random;
  #count = 0;

  constructor(parts: InterruptionsParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x0ca9_ce11);
  }

  async run(isOver: () => boolean): Promise<void> {
    const { world } = this.#parts;
    const random = this.#random;
    for (;;) {
      await world.sleep(random.int(10, 800));
      if (isOver()) return;
      const client = random.pick(this.#parts.clients);
      if (client?.isReady !== true) continue;
      const name = `${client.tenant}/${client.name}/interrupt${this.#count++}`;
      const prompt = random.chance(0.4) ? name : undefined;
      const unopened = random.pick(this.#unopened(client));
      const session = random.pick([...client.sessions.values()]);
      if (unopened === undefined) {
        if (session === undefined || session.isUnknown) continue;
        client.cancel(session);
        if (prompt !== undefined) client.prompt(session, prompt);
      } else if (random.chance(0.2)) void client.closeUnopened(unopened);
      else void client.cancelUnopened(unopened, `${name}/call`, prompt);
    }
  }

  /**
   * The sessions of a client's principal that the client has not opened. If other clients have prompts without a
   * response, only the sessions of these prompts.
   */
  #unopened(client: SimClient): string[] {
    const others = this.#parts.clients.filter((one) => one !== client && one.tenant === client.tenant);
    const isUnopened = (sessionId: string): boolean => !client.hasUsed(sessionId);
    const open = others.flatMap(({ prompts }) => prompts.filter(({ isOpen }) => isOpen));
    const busy = open.map(({ session }) => session.sessionId).filter(isUnopened);
    return busy.length > 0 ? busy : others.flatMap(({ sessions }) => [...sessions.keys()]).filter(isUnopened);
  }
}

/**
 * Checks that each confirmed cancellation has ended the running turn, and that each cancelled prompt has a reason: a
 * client has cancelled it, and not only before it was sent, or has closed the session while the prompt's client was not
 * attached.
 */
export function checkInterruptions(
  log: Log,
  clients: readonly SimClient[],
  { failovers, deletions }: Exceptions,
): void {
  const interruptions = clients.flatMap((client) => client.interruptions);
  for (const prompt of clients.flatMap((client) => client.prompts)) {
    const { name, outcomes } = prompt;
    const { sessionId } = prompt.session;
    const inSession = interruptions.filter(({ session }) => session === sessionId);
    const mayCancel = (one: Interruption): boolean =>
      isInTime(log, one, prompt) && (one.is === "cancel" || failovers !== undefined || mayCloseFor(log, one, prompt));
    if (outcomes.includes("cancelled") && !deletions?.has(sessionId)) {
      if (!inSession.some(mayCancel)) log.problem(`cancelled: ${name} was cancelled without a reason`);
      else if (failovers === undefined) checkCancelled(log, prompt, inSession);
    }
    const ignored = inSession.find((one) => ranOn(log, one, prompt));
    if (ignored !== undefined) log.problem(`ignored: ${name} ran on although ${ignored.client} had cancelled it`);
  }
}

/**
 * Checks that the agent, if it has received a cancelled prompt, has received a cancellation during this turn, and that
 * a client has sent one that may be for this turn.
 */
function checkCancelled(log: Log, prompt: SentPrompt, inSession: readonly Interruption[]): void {
  const { name } = prompt;
  const turns = log.turns.get(name) ?? [];
  const cancelled = turns.flatMap(({ cancelledAt }) => cancelledAt ?? []);
  if (
    turns.length > 0 &&
    cancelled.length === 0 &&
    !log.hasFault(anyKind, prompt.at, prompt.settledAt ?? prompt.at, FAULT_MS)
  )
    log.problem(`cancelled: ${name} was cancelled, and its agent received no cancellation`);
  for (const at of cancelled) {
    const maxMs = log.hasFault(anyKind, at, at, FAULT_MS) ? MAX_CANCEL_MS + FAULT_MS : SOON_MS;
    const isFor = (one: Interruption): boolean => isInTime(log, one, prompt) && one.at <= at && one.at >= at - maxMs;
    if (!inSession.some(isFor)) log.problem(`cancelled: ${name} was cancelled by a request that was for another turn`);
  }
}

interface Exceptions {
  readonly failovers: Failovers | undefined;
  readonly deletions: Deletions | undefined;
}

/**
 * Whether an interruption may have been executed after the prompt had arrived, and before its turn ended. A prompt does
 * not overtake a cancellation. It may overtake the request to close the session, which has no response yet, if the
 * owner ends before it has executed the request.
 */
function isInTime(
  log: Log,
  { is, order, at, doneAt = Number.POSITIVE_INFINITY, connection }: Interruption,
  { order: place, at: sentAt, settledAt = Number.POSITIVE_INFINITY, connections }: SentPrompt,
): boolean {
  const mayOvertake = is === "close" && log.hasFault(everyKind, at, sentAt, FAULT_MS);
  const isBefore = connections.size === 1 && connections.has(connection) && order < place && !mayOvertake;
  return at <= settledAt && doneAt >= sentAt && !isBefore;
}

/**
 * Whether the owner of the session may not have known the client of the prompt when another client closed the session.
 */
function mayCloseFor(log: Log, { at, doneAt = at }: Interruption, { name, connections }: SentPrompt): boolean {
  // So the owner has received the report that the client is attached
  const isRunning = log.turns.get(name)?.some((turn) => turn.at < at) === true;
  const isFaulty = log.hasFault(everyKind, at, doneAt, FAULT_MS);
  return !isRunning || connections.size > 1 || isFaulty;
}

/**
 * Whether the agent ran a turn until its orderly end, although it had received the prompt before a cancellation and
 * ended the turn after the confirmation.
 */
function ranOn(log: Log, { is, at, doneAt }: Interruption, { name, outcomes }: SentPrompt): boolean {
  if (is !== "cancel" || doneAt === undefined || doneAt - at > MAX_CANCEL_MS || !outcomes.includes("end_turn"))
    return false;
  const turns = log.turns.get(name) ?? [];
  return turns.some((turn) => turn.at < at && turn.end?.stopReason === "end_turn" && turn.end.at > doneAt + AGENT_MS);
}

/**
 * The longest time that the gateway tries to execute a cancellation, in milliseconds. A cancellation has no response,
 * so a later one may not have been executed.
 */
const MAX_CANCEL_MS = 19_000;

/** The longest time that a message from a replica to its agent takes, in milliseconds. */
const AGENT_MS = 10;

/** How long a cancellation takes at most to its agent if there are no faults, in milliseconds. */
const SOON_MS = 1_000;

const anyKind: readonly FaultKind[] = ["replica", "engine", "full", "calls", "agent"];

const everyKind: readonly FaultKind[] = ["replica", "engine", "full", "calls"];

/**
 * How long a fault may have an effect on the owners of sessions, and on the clients that they know, in milliseconds.
 */
const FAULT_MS = 10_000;
