import type { Engine } from "@acp-kit/gateway";
import { checkTrimmed } from "./check-retention.js";
import type { Deletions } from "./deletions.js";
import { isExplained } from "./excuses.js";
import type { Failovers, Loss } from "./failovers.js";
import type { AcceptedAppend, HistoryEntry as Entry, History } from "./history.js";
import { checkInterruptions } from "./interruptions.js";
import type { Record as Log } from "./record.js";
import { scopeOf } from "./scopes.js";
import { ShownCommands, ShownSettings, type WithSettings } from "./shown-state.js";
import type { KnownSession, SimClient, Stretch } from "./sim-client.js";
import { FIRST_MODE, FIRST_OPTION, isSettingOf, lastOf, modeIds, split } from "./words.js";

export interface CheckParts {
  readonly log: Log;
  readonly truth: Engine;
  readonly clients: readonly SimClient[];
  readonly history: History;
  /** Whether agents and clients speak version 1 or 2. */
  readonly isMixed: boolean;
  /** See {@link FailedIn.losesLeases}. */
  readonly losesLeases: boolean;
  readonly failovers: Failovers | undefined;
  readonly deletions: Deletions | undefined;
  /** Returns all entries that were ever in the journal of a session. */
  readonly journalOf: (tenant: string, session: string) => Promise<readonly Entry[]>;
}

/**
 * Compares the updates that clients received with the updates that agents sent. Checks every guarantee of the gateway
 * that a failure can break.
 *
 * Entries may stay lost after a failover only if their owner could not append them again ({@link Failovers.excuse}).
 * For the sessions of these entries, and only for the lost entries, some checks allow another result, which the gateway
 * must report to the clients.
 */
export async function check({
  log,
  truth,
  clients,
  history,
  isMixed,
  losesLeases,
  failovers,
  deletions,
  journalOf,
}: CheckParts): Promise<void> {
  const losses = failovers?.losses.filter(({ repairedAt }) => repairedAt === undefined) ?? [];
  for (const [name, count] of log.executed)
    if (count > 1 + lostEntries(losses, "turn_started", name).length)
      log.problem(`prompts: ${name} ran ${count} times`);
  for (const [name, count] of log.calls) if (count > 1) log.problem(`calls: ${name} was done ${count} times`);
  for (const [name, answers] of log.answers)
    if (answers.length > (log.executed.get(name.split("?")[0] ?? "") ?? 0))
      log.problem(`answers: ${name} got ${answers.join(", ")}`);
  checkOwners(log, history.accepted);
  checkInterruptions(log, clients, { failovers, deletions });
  if (failovers !== undefined) checkLosses(log, failovers, deletions);
  for (const tenant of new Set(clients.map((client) => client.tenant))) {
    const { sessions } = await truth.list(scopeOf(tenant), { limit: 1_000 });
    const listed = new Set(sessions.map(({ sessionId }) => sessionId));
    const known = clients.filter((one) => one.tenant === tenant).flatMap((one) => [...one.sessions.keys()]);
    for (const sessionId of new Set([...listed, ...known])) {
      const record = await truth.find({ scope: scopeOf(tenant), sessionId });
      const isStored = record !== undefined;
      const lost = losses.filter(({ session }) => session === sessionId);
      const journal = await journalOf(tenant, sessionId);
      // A failover may have lost the last step of the creation of a session. The first owner of the session repeats
      // this step.
      const isIncomplete = isStored && failovers !== undefined && journal.length === 0;
      const isGone = !isStored && lost.some(({ hasSession }) => !hasSession);
      const isDeleted = deletions?.has(sessionId) === true;
      if (isStored && deletions?.isFinal(sessionId)) log.problem(`deletions: ${sessionId} exists again`);
      if (!listed.has(sessionId) && !isIncomplete && !isGone && !isDeleted)
        log.problem(`sessions: ${sessionId} is not listed`);
      if (isStored) await checkTrimmed(log, truth, tenant, sessionId, journal);
      checkJournal(log, sessionId, journal, { lost, isDeleted });
      const words = journal.map(({ words }) => words);
      const title = lastOf("title", words) ?? firstPromptOf(journal);
      if (record !== undefined && record.title !== title)
        log.problem(`state: ${sessionId} has the title ${record.title} and not ${title}`);
      const isWhole = isStored && !isDeleted && lost.length === 0;
      const settings = isMixed
        ? settingsIn(journal)
        : {
            mode: lastOf("mode", words) ?? FIRST_MODE,
            option: undefined,
            has: (value: string) => words.includes(value),
          };
      for (const client of clients) if (isWhole) checkState(log, client, sessionId, settings);
      for (const client of clients) if (isWhole && isMixed) checkCommands(log, client, sessionId, journal);
      for (const client of clients)
        checkClient(log, client, sessionId, isGone ? undefined : journal, { failovers, isDeleted });
    }
  }
  for (const client of clients) {
    for (const session of client.sessions.values()) checkReports(log, client, session, { failovers, deletions });
    checkPrompts(log, client, { losses, deletions, history, losesLeases });
  }
}

/** Returns the text of a session's first prompt, which is its title until the agent sends one. */
function firstPromptOf(journal: readonly Entry[]): string | null {
  const started = journal.find(({ type }) => type === "turn_started");
  if (started === undefined) return null;
  const { prompt } = JSON.parse(started.text) as { readonly prompt: readonly { readonly text?: string }[] };
  return prompt[0]?.text ?? null;
}

/** Returns the lost entries of one type about a prompt. */
function lostEntries(losses: readonly Loss[], type: string, prompt: string): Entry[] {
  return losses
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.type === type && entry.key === `key/${prompt}`);
}

/** Checks that each epoch of a session belongs to one replica, and that epochs only increase. */
function checkOwners(log: Log, accepted: readonly AcceptedAppend[]): void {
  const owners = new Map<string, string>();
  const epochs = new Map<string, number>();
  for (const { replica, session, epoch, isLost } of accepted) {
    const name = `${session} in epoch ${epoch}`;
    if ((owners.get(name) ?? replica) !== replica) log.problem(`owners: ${name} has two`);
    owners.set(name, replica);
    if (isLost) continue;
    if ((epochs.get(session) ?? 0) > epoch)
      log.problem(`owners: ${session} was written in epoch ${epoch} after ${epochs.get(session)}`);
    epochs.set(session, epoch);
  }
}

/**
 * Checks that the owner of lost entries appended them again, except if {@link Failovers.excuse} has a reason why it
 * could not, or a client has deleted the session.
 */
function checkLosses(log: Log, failovers: Failovers, deletions: Deletions | undefined): void {
  for (const loss of failovers.losses) {
    if (loss.repairedAt !== undefined || failovers.excuse(loss) !== undefined) continue;
    if (deletions?.has(loss.session)) continue;
    const { session, owner, entries, lostAt } = loss;
    log.problem(
      `repair: ${session} lost ${entries.length} entries at ${lostAt}, and ${owner} did not append them again`,
    );
  }
}

function checkJournal(
  log: Log,
  sessionId: string,
  journal: readonly Entry[],
  { lost, isDeleted }: { readonly lost: readonly Loss[]; readonly isDeleted: boolean },
): void {
  for (const [i, { seq }] of journal.entries())
    if (seq !== i + 1) log.problem(`journal: ${sessionId} has ${seq} at ${i + 1}`);
  for (let i = 1; i < journal.length; i++)
    if ((journal[i]?.epoch ?? 0) < (journal[i - 1]?.epoch ?? 0))
      log.problem(`journal: ${sessionId} goes back to an older epoch`);
  const words = journal.filter(({ words }) => words !== "").map(({ words }) => words);
  if (words.includes("REPLAY")) log.problem(`journal: ${sessionId} contains a replay of the agent`);
  const unique = words.filter((word) => word !== FIRST_MODE);
  if (new Set(unique).size !== unique.length) log.problem(`journal: ${sessionId} contains a word twice`);
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
  // If the end of a turn was lost, the next owner ends the turn. If no client uses the session, the session has no next
  // owner.
  const isEndLost = lost.some(({ entries }) =>
    entries.some(({ type, key }) => type === "turn_ended" && key === running),
  );
  if (running !== undefined && !isEndLost && !isDeleted) log.problem(`turns: ${running} never ended`);
  for (const [name, sent] of log.sent) checkTurn(log, name, sent, journal);
}

/**
 * Checks that the journal contains the agent's words of a turn in order and without gaps. If the response arrived,
 * checks that it contains all of them.
 */
function checkTurn(log: Log, name: string, sent: readonly (readonly string[])[], journal: readonly Entry[]): void {
  const start = journal.findIndex(({ type, key }) => type === "turn_started" && key === `key/${name}`);
  if (start === -1) return;
  const end = journal.findIndex(({ type, key }) => type === "turn_ended" && key === `key/${name}`);
  const isOf = ({ words }: Entry): boolean => words.startsWith(`${name}#`);
  const inTurn = journal
    .slice(start, end === -1 ? undefined : end)
    .filter(isOf)
    .map(({ words }) => words);
  if (inTurn.includes(`${name}#late `)) log.problem(`order: words after the response of ${name} are before it`);
  if (!sent.some((words) => inTurn.join("") === words.slice(0, inTurn.length).join("")))
    log.problem(`order: ${name} is ${inTurn.join("")} and not ${sent.map((words) => words.join("")).join(" or ")}`);
  // An owner that opens the session journals the agent's mode, also one that a turn has set whose entries were lost.
  const before = journal.slice(0, start).some((entry) => entry.type === "update" && isOf(entry));
  if (before) log.problem(`order: words of ${name} are before its start`);
}

/**
 * Checks that a client received each update exactly once, in the journal's order, from the start of a part to the end
 * of the journal or to the client's next load. A part that a load has ended may contain lost entries, because the load
 * has replaced them in the client.
 *
 * @param journal the entries of the session; `undefined` for a session that was lost.
 */
function checkClient(
  log: Log,
  client: SimClient,
  sessionId: string,
  journal: readonly Entry[] | undefined,
  { failovers, isDeleted }: { readonly failovers: Failovers | undefined; readonly isDeleted: boolean },
): void {
  const session = client.sessions.get(sessionId);
  if (session === undefined) return;
  if (isDeleted) {
    checkDeleted(log, client.name, session, journal, failovers);
    return;
  }
  const hasLost = failovers !== undefined && failovers.unrepaired(sessionId).length > 0;
  for (const stretch of session.earlier) {
    const isOther = hasLost && stretch.until !== undefined;
    const before = isOther ? failovers.acknowledged.journal(sessionId, stretch.until) : journal;
    checkStretch(log, client.name, sessionId, stretch, before ?? []);
  }
  const last = session.received.at(-1);
  // A client that has not used a lost session since then still has its entries
  const left = last && failovers?.acknowledged.journal(sessionId, last);
  checkStretch(log, client.name, sessionId, session, journal ?? left ?? []);
}

/** The settings of a session. Without `option`, the checks do not know the option. */
interface Settings {
  readonly mode: string;
  readonly option: string | undefined;
  /** Whether the journal has a value, if no other change has the same value. */
  readonly has: (value: string) => boolean;
}

/** Checks that a client shows the current settings of a session, and no turn that has ended. */
function checkState(log: Log, { name, sessions }: SimClient, sessionId: string, { mode, option, has }: Settings): void {
  const session = sessions.get(sessionId);
  if (session?.from === undefined || session.isUnknown) return;
  const { settings, set, isRunning } = session;
  // The journal of a change that the agent has made may have failed. The session has the change as soon as it is opened
  // again.
  const isUnwritten = (kind: "mode" | "option", shown: string | undefined): boolean => {
    const { value, at } = set[kind] ?? { value: undefined, at: 0 };
    return (
      value !== undefined &&
      shown === value &&
      !has(value) &&
      log.hasFault(["replica", "engine", "full", "calls"], at - 10_000, at, 10_000)
    );
  };
  for (const shown of settings.modes)
    if (shown !== mode && !isUnwritten("mode", shown))
      log.problem(`state: ${name} shows the mode ${shown} of ${sessionId} and not ${mode}`);
  if (option !== undefined && settings.option !== option && !isUnwritten("option", settings.option))
    log.problem(`state: ${name} shows the option ${settings.option} of ${sessionId} and not ${option}`);
  if (isRunning) log.problem(`state: ${name} shows a turn of ${sessionId}, which is idle`);
}

/** Checks that a client shows the title and the whole output of each command of the agent. */
function checkCommands(log: Log, { name, sessions }: SimClient, sessionId: string, journal: readonly Entry[]): void {
  const session = sessions.get(sessionId);
  if (session?.from === undefined || session.isUnknown) return;
  const { commands, from } = session;
  const [of1, of2] = [new ShownCommands(1), new ShownCommands(2)];
  /** The commands that begin in the part that the client follows. */
  const begun = new Set<string>();
  for (const { seq, text } of journal) {
    if (!text.includes("terminal") && !text.includes("tool_call")) continue;
    const { version, params } = JSON.parse(text) as {
      readonly version?: 2;
      readonly params?: { readonly update?: object };
    };
    const state = version === 2 ? of2 : of1;
    const before = state.ids.length;
    state.updated(params?.update ?? {});
    if (seq > from) for (const id of state.ids.slice(before)) begun.add(id);
  }
  const [shown, expected] = [commands.all, new Map([...of1.all, ...of2.all])];
  for (const id of new Set([...begun, ...shown.keys()]))
    if (shown.get(id) !== expected.get(id))
      log.problem(`commands: ${name} shows "${shown.get(id)}" in ${sessionId} and not "${expected.get(id)}"`);
}

/** Returns the settings of a session in a simulation with both versions. */
function settingsIn(journal: readonly Entry[]): Settings {
  const [of1, of2] = [new ShownSettings(1), new ShownSettings(2)];
  let mode: string = modeIds[0];
  let option = FIRST_OPTION;
  for (const { text } of journal) {
    if (!text.includes("config_option_update") && !text.includes("current_mode_update")) continue;
    const entry = JSON.parse(text) as {
      readonly version?: 2;
      readonly update?: WithSettings;
      readonly params?: { readonly update?: WithSettings };
    };
    const settings = entry.version === 2 ? of2 : of1;
    settings.opened({}); // each update on its own
    settings.changed(entry.update ?? entry.params?.update ?? {});
    mode = settings.mode ?? settings.modeOption ?? mode;
    option = settings.option ?? option;
  }
  const isInJournal = (value: string): boolean => journal.some(({ text }) => text.includes(`"${value}"`));
  return { mode, option, has: (value) => !(modeIds as readonly string[]).includes(value) && isInJournal(value) };
}

/**
 * Checks that a client received the updates of a deleted session exactly once, in order and without a gap, up to some
 * entry.
 */
function checkDeleted(
  log: Log,
  client: string,
  { sessionId, from, received, earlier }: KnownSession,
  journal: readonly Entry[] | undefined,
  failovers: Failovers | undefined,
): void {
  for (const stretch of [...earlier, { from, received }]) {
    const until = stretch.received.at(-1);
    if (until === undefined) continue;
    const all = failovers === undefined ? journal : failovers.acknowledged.journal(sessionId, until);
    checkStretch(log, client, sessionId, { from: stretch.from, received: stretch.received, until }, all ?? []);
  }
}

/** Checks that the gateway reported the loss of entries and sessions to a client only if they were lost. */
function checkReports(
  log: Log,
  { name: client }: SimClient,
  { sessionId, lostAt, isUnknown }: KnownSession,
  { failovers, deletions }: Pick<CheckParts, "failovers" | "deletions">,
): void {
  const losses = failovers?.unrepaired(sessionId) ?? [];
  for (const { seq, epoch } of lostAt)
    if (!losses.some(({ entries }) => entries.some((entry) => entry.seq === seq && entry.epoch === epoch)))
      log.problem(`reported: ${client} got the report that ${sessionId} has lost ${seq} of epoch ${epoch}`);
  const isGone = losses.some(({ hasSession }) => !hasSession);
  if (isUnknown && !isGone && !deletions?.has(sessionId))
    log.problem(`reported: ${client} got the report that ${sessionId} does not exist`);
}

function checkStretch(log: Log, client: string, sessionId: string, stretch: Stretch, journal: readonly Entry[]): void {
  const { from, until: { seq: until } = { seq: Number.POSITIVE_INFINITY }, received } = stretch;
  if (from === undefined) return;
  const expected = journal
    .filter(({ seq, words }) => seq > from && seq <= until && words !== "" && !isSettingOf(client, words))
    .map(({ seq, words }) => `${seq} ${words}`);
  const actual = received
    .filter(({ text }) => !isSettingOf(client, text))
    .map(({ seq, text, isJoined }, i) => {
      const isExpected = isJoined === true && expected[i]?.endsWith(` ${text}`);
      return isExpected ? expected[i] : `${seq} ${text}`;
    });
  if (actual.join("|") === expected.join("|")) return;
  const at = expected.findIndex((one, i) => one !== actual[i]);
  const place = at === -1 ? expected.length : at;
  log.problem(
    `delivery: ${client} in ${sessionId} has ${actual.length} of ${expected.length}; at ${place} "${actual[place]}" and not "${expected[place]}"`,
  );
}

interface PromptsParts extends Pick<CheckParts, "deletions" | "history" | "losesLeases"> {
  readonly losses: readonly Loss[];
}

/** Checks that each prompt settled once, and that a client received a completed turn before its response. */
function checkPrompts(
  log: Log,
  { name: client, prompts }: SimClient,
  { losses, deletions, history, losesLeases }: PromptsParts,
): void {
  for (const prompt of prompts) {
    const { name, session, outcomes, replayed, received, isWhole: wasFollowed } = prompt;
    if (outcomes.length !== 1) log.problem(`settled: ${name} settled ${outcomes.length} times`);
    const [outcome = ""] = outcomes;
    const [reason = ""] = outcome.split(" ").slice(1);
    const lost = losses.filter((loss) => loss.session === session.sessionId);
    const isLost =
      (reason === "journal_lost" && lost.length > 0) ||
      (reason === "unknown_session" &&
        (lost.some(({ hasSession }) => !hasSession) || deletions?.has(session.sessionId) === true));
    const failedIn = {
      endedAt: history.endedAt.get(`key/${name}`),
      trimmedAt: history.trims(session.sessionId),
      losesLeases,
    };
    if (outcome.startsWith("error") && !isLost && !isExplained(log, prompt, reason, failedIn))
      log.problem(`settled: ${name} with ${outcome}, which no fault explains`);
    if (outcome !== "end_turn") continue;
    if (!log.executed.has(name)) log.problem(`prompts: ${name} ended and ran ${log.executed.get(name) ?? 0} times`);
    if (!wasFollowed) continue; // the client received a part of the turn in a replay
    const texts = [...split(replayed), ...received.map(({ text }) => text)];
    const words = texts.filter((text) => text.startsWith(`${name}#`));
    const sent = (log.sent.get(name) ?? []).map((words) => words.join(""));
    const isWhole = sent.includes(words.filter((word) => !word.endsWith("#late ")).join(""));
    if (!isWhole)
      log.problem(`order: ${client} had "${words.join("")}" of "${sent.join('" or "')}" when ${name} ended`);
  }
}
