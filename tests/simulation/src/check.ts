import type { Engine } from "@acp-kit/gateway";
import { checkTrimmed } from "./check-retention.js";
import type { AcceptedAppend, HistoryEntry as Entry } from "./history.js";
import type { Record as Log } from "./record.js";
import type { SimClient, Stretch } from "./sim-client.js";

export interface CheckParts {
  readonly log: Log;
  readonly truth: Engine;
  readonly clients: readonly SimClient[];
  readonly accepted: readonly AcceptedAppend[];
  /** Returns all entries that were ever in the journal of a session. */
  readonly journalOf: (tenant: string, session: string) => Promise<readonly Entry[]>;
}

/** Compares the updates that clients received with those that agents sent. It checks every rule of the design that a failure can break. */
export async function check({ log, truth, clients, accepted, journalOf }: CheckParts): Promise<void> {
  for (const [name, count] of log.executed) if (count > 1) log.problem(`prompts: ${name} ran ${count} times`);
  for (const [name, count] of log.calls) if (count > 1) log.problem(`calls: ${name} was done ${count} times`);
  for (const [name, answers] of log.answers)
    if (answers.length > 1) log.problem(`answers: ${name} got ${answers.join(", ")}`);
  checkOwners(log, accepted);
  for (const tenant of new Set(clients.map((client) => client.tenant)))
    for (const { sessionId } of (await truth.list({ tenant, user: "u" }, { limit: 1_000 })).sessions) {
      const journal = await journalOf(tenant, sessionId);
      await checkTrimmed(log, truth, tenant, sessionId, journal);
      checkJournal(log, sessionId, journal);
      for (const client of clients) checkClient(log, client, sessionId, journal);
    }
  for (const client of clients) checkPrompts(log, client);
}

/** Checks that each epoch of a session belongs to one replica, and that epochs only increase. */
function checkOwners(log: Log, accepted: readonly AcceptedAppend[]): void {
  const owners = new Map<string, string>();
  const epochs = new Map<string, number>();
  for (const { replica, session, epoch } of accepted) {
    const name = `${session} in epoch ${epoch}`;
    if ((owners.get(name) ?? replica) !== replica) log.problem(`owners: ${name} has two`);
    owners.set(name, replica);
    if ((epochs.get(session) ?? 0) > epoch)
      log.problem(`owners: ${session} was written in epoch ${epoch} after ${epochs.get(session)}`);
    epochs.set(session, epoch);
  }
}

function checkJournal(log: Log, sessionId: string, journal: readonly Entry[]): void {
  for (const [i, { seq }] of journal.entries())
    if (seq !== i + 1) log.problem(`journal: ${sessionId} has ${seq} at ${i + 1}`);
  for (let i = 1; i < journal.length; i++)
    if ((journal[i]?.epoch ?? 0) < (journal[i - 1]?.epoch ?? 0))
      log.problem(`journal: ${sessionId} goes back to an older epoch`);
  const words = journal.filter(({ words }) => words !== "").map(({ words }) => words);
  if (words.includes("REPLAY")) log.problem(`journal: ${sessionId} contains a replay of the agent`);
  if (new Set(words).size !== words.length) log.problem(`journal: ${sessionId} contains a word twice`);
  const settled = journal.filter(({ type }) => type === "request_settled").map(({ id }) => id);
  if (new Set(settled).size !== settled.length) log.problem(`answers: a request of ${sessionId} was settled twice`);
  let running: string | undefined;
  for (const { type, key } of journal) {
    if (type === "turn_started") {
      if (running !== undefined) log.problem(`turns: ${key} started while ${running} ran`);
      running = key;
    }
    if (type === "turn_ended" && running === key) running = undefined;
  }
  if (running !== undefined) log.problem(`turns: ${running} never ended`);
  for (const [name, sent] of log.sent) checkTurn(log, name, sent, journal);
}

/** Checks that the journal contains the agent's words of a turn in order and without gaps, and all of them if the response arrived. */
function checkTurn(log: Log, name: string, sent: readonly string[], journal: readonly Entry[]): void {
  const start = journal.findIndex(({ type, key }) => type === "turn_started" && key === `key/${name}`);
  if (start === -1) return;
  const end = journal.findIndex(({ type, key }) => type === "turn_ended" && key === `key/${name}`);
  const isOf = ({ words }: Entry): boolean => words.startsWith(`${name}#`);
  const inTurn = journal
    .slice(start, end === -1 ? undefined : end)
    .filter(isOf)
    .map(({ words }) => words);
  if (inTurn.includes(`${name}#late `)) log.problem(`order: words after the response of ${name} are before it`);
  if (inTurn.join("") !== sent.slice(0, inTurn.length).join(""))
    log.problem(`order: ${name} is ${inTurn.join("")} and not ${sent.join("")}`);
  const before = journal.slice(0, start).some(isOf);
  if (before) log.problem(`order: words of ${name} are before its start`);
}

/** Checks that a client received each update after its start exactly once, in the journal's order, up to the end or up to its next load. */
function checkClient(log: Log, client: SimClient, sessionId: string, journal: readonly Entry[]): void {
  const session = client.sessions.get(sessionId);
  if (session === undefined) return;
  for (const stretch of [...session.earlier, session]) checkStretch(log, client.name, sessionId, stretch, journal);
}

function checkStretch(log: Log, client: string, sessionId: string, stretch: Stretch, journal: readonly Entry[]): void {
  const { from, until = Number.POSITIVE_INFINITY, received } = stretch;
  if (from === undefined) return;
  const expected = journal
    .filter(({ seq, words }) => seq > from && seq <= until && words !== "")
    .map(({ seq, words }) => `${seq} ${words}`);
  const actual = received.map(({ seq, text }) => `${seq} ${text}`);
  if (actual.join("|") === expected.join("|")) return;
  const at = expected.findIndex((one, i) => one !== actual[i]);
  const place = at === -1 ? expected.length : at;
  log.problem(
    `delivery: ${client} in ${sessionId} has ${actual.length} of ${expected.length}; at ${place} "${actual[place]}" and not "${expected[place]}"`,
  );
}

/** Checks that each prompt settled once, and that a client received a completed turn before its response. */
function checkPrompts(log: Log, { name: client, prompts }: SimClient): void {
  for (const { name, outcomes, received, isWhole: wasFollowed } of prompts) {
    if (outcomes.length !== 1) log.problem(`settled: ${name} settled ${outcomes.length} times`);
    const [outcome = ""] = outcomes;
    const [reason = ""] = outcome.split(" ").slice(1);
    if (outcome.startsWith("error") && !known.has(reason)) log.problem(`settled: ${name} with ${outcome}`);
    if (outcome !== "end_turn") continue;
    if (log.executed.get(name) !== 1)
      log.problem(`prompts: ${name} ended and ran ${log.executed.get(name) ?? 0} times`);
    if (!wasFollowed) continue; // a part of the turn arrived in a replay
    const words = received.map(({ text }) => text).filter((text) => text.startsWith(`${name}#`));
    const sent = log.sent.get(name) ?? [];
    const isWhole = words.filter((word) => !word.endsWith("#late ")).join("") === sent.join("");
    if (!isWhole) log.problem(`order: ${client} had "${words.join("")}" of "${sent.join("")}" when ${name} ended`);
  }
}

const known: ReadonlySet<string> = new Set([
  ...["turn_interrupted", "agent_failed", "engine_unavailable", "session_lost", "cursor_expired"],
]);
