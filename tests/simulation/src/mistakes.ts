import type { EngineKind } from "./sim-engines.js";
import { ACTIONS_EVERY } from "./simulate.js";
import type { Mistake } from "./subjects.js";

/** A mistake, and the problems that the simulation reports when it detects the mistake. */
interface DetectedMistake extends Mistake {
  /** The engine of the simulation. Default `memory`. Only the other engines have failovers. */
  readonly engine?: EngineKind;
  /**
   * The first seed of the search, for a mistake that only few seeds show. Default: the first seed with failovers, or 1.
   */
  readonly firstSeed?: number;
  /** The distance of the searched seeds. Default: that of the seeds with failovers, or 1. */
  readonly step?: number;
  readonly breaks: RegExp;
}

/** The seeds in which clients open sessions again, and nothing else is added. */
const withReopenings = { firstSeed: 4, step: ACTIONS_EVERY };
/** The seeds in which the storage is full at times, and nothing else is added. */
const withFullStorage = { firstSeed: 3, step: ACTIONS_EVERY };
/** The seeds in which clients interrupt sessions that they have not opened, and nothing else is added. */
const withInterruptions = { firstSeed: 6, step: ACTIONS_EVERY };

/** The seeds with observers, clients without cursors, a second user, and agents that request forms and files. */
const withVariety = { firstSeed: 1, step: ACTIONS_EVERY };

/** The seeds in which clients change settings, and nothing else is added. */
const withSettings = { firstSeed: ACTIONS_EVERY, step: ACTIONS_EVERY };

/**
 * Typical mistakes of gateways. The test makes one mistake at a time in the sources, and the simulation must detect it.
 */
export const mistakes: readonly DetectedMistake[] = [
  {
    name: "clients receive entries before they are durable",
    file: "journal/journal-writer.ts",
    from: "    this.#chars += text.length;\n",
    to: "    this.#chars += text.length;\n    this.#options.onDurable([recorded]);\n",
    breaks: /^(write-ahead|delivery)/,
  },
  {
    name: "the engine does not check the epoch of an append",
    firstSeed: 156,
    file: "engine/memory-engine.ts",
    from: 'if (session.epoch !== lease.epoch) return { is: "stale" };',
    to: "",
    breaks: /^(owners|journal|turns|prompts|order|settled|delivery)/,
  },
  {
    name: "the engine does not check the number of an append",
    file: "engine/memory-engine.ts",
    from: 'if (journal.last.seq + 1 !== first) return { is: "misplaced", last: journal.last.seq };',
    to: "",
    breaks: /^(journal|delivery|order|turns)/,
  },
  {
    name: "a cursor is off by one in memory",
    file: "journal/feed.ts",
    from: "this.#recent.slice(from)",
    to: "this.#recent.slice(from + 1)",
    breaks: /^(delivery|order|settled)/,
  },
  {
    name: "a cursor is off by one in the engine",
    file: "engine/journal-parts.ts",
    from: "let at = Math.max(0, after + 1 - first);",
    to: "let at = Math.max(0, after - first);",
    breaks: /^(delivery|order|settled)/,
  },
  {
    name: "the agent receives a response before it is journalled",
    file: "session/agent-requests.ts",
    from: "      await durable();\n",
    to: "",
    breaks: /^answers/,
  },
  {
    name: "every response to a request settles it, not only the first",
    firstSeed: 29,
    file: "session/agent-requests.ts",
    from: "if (!this.#open.delete(id)) return;",
    to: "this.#open.delete(id);",
    breaks: /^answers/,
  },
  {
    name: "a repeated prompt is run again",
    file: "session/session-turns.ts",
    from: "if (before !== undefined || this.#queue.has(key)) return before?.[1];",
    to: "if (before !== undefined && before === undefined) return undefined;",
    breaks: /^prompts/,
  },
  {
    name: "the agent receives a prompt before its start is durable",
    file: "session/session-turns.ts",
    from: "    await journal.durable();\n    // Called in `decode`",
    to: "    // Called in `decode`",
    breaks: /^(prompts|order|settled)/,
  },
  {
    name: "a new owner does not end the turn of the previous owner",
    file: "session/owned-session.ts",
    from: "    this.#recover();\n",
    to: "",
    breaks: /^(settled|turns)/,
  },
  {
    name: "a turn ends when its promise settles, not when its response arrives",
    file: "session/session-turns.ts",
    from: "decode: (result) => end({ result }),",
    to: "decode: (result) => { setTimeout(() => end({ result }), 0); },",
    breaks: /^order/,
  },
  {
    name: "a repeated command of another replica is executed twice",
    file: "cluster/mailbox.ts",
    from: "let received = this.#received.get(name);",
    to: "let received = undefined as ReceivedCommand | undefined;",
    breaks: /^calls/,
  },
  {
    name: "a session is looked up without its tenant",
    file: "principal.ts",
    from: "keyName({ scope: { tenant, user }, sessionId }: SessionKey): string {",
    to: 'keyName({ sessionId }: SessionKey): string {\n  const [tenant, user] = ["", ""];',
    breaks: /^isolation/,
  },
  {
    name: "a replica does not read the entries of other replicas",
    file: "cluster/feeds.ts",
    from: "if (!this.#options.isOwned(name))\n      this.#follow(name, followed)",
    to: "if (this.#options.isOwned(name))\n      this.#follow(name, followed)",
    breaks: /^(delivery|settled)/,
  },
  {
    name: "the agent's replay is journalled when its session is opened again",
    file: "agent/session-agent.ts",
    from: "host.bind(agentSessionId, discard);",
    to: "host.bind(agentSessionId, this.#options.sink);",
    breaks: /^journal/,
  },
  {
    name: "the response to a repeated prompt overtakes its updates",
    file: "client/attachment.ts",
    from: "      await this.reached(reply.at, reply.epoch);",
    to: "",
    breaks: /^(order|delivery)/,
  },
  {
    name: "an append with an unknown outcome counts as executed",
    file: "journal/journal-writer.ts",
    from: "        failingSince ??= clock.now();",
    to: "        this.#written(batch);\n        failingSince ??= clock.now();",
    breaks: /^(write-ahead|delivery|settled|prompts|order|answers)/,
  },
  {
    name: "a trim removes the start of the first kept turn",
    file: "journal/retention.ts",
    from: "cut = { first: seq, turns,",
    to: "cut = { first: seq + 1, turns,",
    breaks: /^(trim|load|delivery|order)/,
  },
  {
    name: "a trim removes a running turn",
    firstSeed: 79,
    file: "session/owned-journal.ts",
    from: "isRunning: turn !== null }",
    to: "isRunning: false }",
    breaks: /^trim/,
  },
  {
    name: "an expired cursor continues with the kept entries",
    firstSeed: 9,
    file: "journal/feed.ts",
    from: 'if (page.is !== "ahead") return { is: page.is };',
    to: 'if (page.is === "expired") return this.#readEngine(undefined);\n    if (page.is !== "ahead") return { is: page.is };',
    breaks: /^delivery/,
  },
  {
    name: "entries are removed before the record of their removal is durable",
    firstSeed: 39,
    file: "session/owned-journal.ts",
    from: "    await this.#writer.durable();\n    await membership.trim(lease, first)",
    to: "    await membership.trim(lease, first)",
    breaks: /^trim/,
  },
  {
    name: "the owner of a session keeps no entries for a repair",
    engine: "redis",
    file: "journal/repair-ring.ts",
    from: "if (this.#maxChars === 0 || entries.length === 0) return;",
    to: "return;",
    breaks: /^repair/,
  },
  {
    name: "clients do not wait until the owner has appended lost entries again",
    engine: "postgres",
    firstSeed: 75,
    file: "journal/read-repaired.ts",
    from: "if (!mayReturn(result) || clock.now() >= deadline) return result;",
    to: "return result;",
    breaks: /^(reported|settled)/,
  },
  {
    name: "after an outage, a replica acquires the sessions of owners that have not renewed yet, and owners renew late",
    engine: "redis",
    firstSeed: 789,
    file: "cluster/owners.ts",
    from: "heartbeat.sparesEnded && ",
    to: "false && ",
    also: { file: "cluster/heartbeat.ts", from: "        this.#hasFailed = true;", to: "" },
    breaks: /^repair/,
  },
  {
    name: "an owner releases a session without a repair",
    engine: "postgres",
    firstSeed: 285,
    file: "session/owned-session.ts",
    from: "await this.#journal.settled()",
    to: "await this.#journal.durable()",
    breaks: /^repair/,
  },
  {
    name: "a replica keeps its position in a journal that has lost it",
    engine: "redis",
    firstSeed: 5_346,
    file: "cluster/feeds.ts",
    from: "if (isLost && !isOwned(name)) await feed.skip();",
    to: "",
    breaks: /^delivery/,
  },
  {
    name: "a client that uses a session again, because a failover has lost its deletion, continues at the end",
    engine: "postgres",
    firstSeed: 84,
    file: "client/attachments.ts",
    from: "const from = this.#missing.get(key.sessionId) ?? at;",
    to: "const from = at;",
    breaks: /^delivery/,
  },
  {
    name: "a client that loads an open session receives other updates during the replay",
    ...withReopenings,
    file: "client/attachments.ts",
    from: "(await earlier)?.pause();",
    to: "await earlier;",
    breaks: /^load/,
  },
  {
    name: "a client that opens a session again loses the response to its prompt",
    ...withReopenings,
    file: "client/attachment.ts",
    from: "for (const [key, pending] of this.#prompts) next.#prompts.set(key, pending);",
    to: "",
    breaks: /^settled/,
  },
  {
    name: "updates continue before the error response to a load",
    ...withReopenings,
    firstSeed: 109,
    file: "client/attachments.ts",
    from: "    (await earlier)?.pause();\n    return open();\n",
    to: "    const attachment = await earlier;\n    attachment?.pause();\n    return open().catch((error) => { attachment?.resume(); throw error; });\n",
    breaks: /^delivery/,
  },
  {
    name: "a client can't cancel the turn of a session that it has not opened",
    ...withInterruptions,
    file: "client/client-connection.ts",
    from: "    if (state.turn === null) await replica.mentioned(key, command);\n    else await replica.command(key, command);\n",
    to: "",
    breaks: /^ignored/,
  },
  {
    name: "a prompt overtakes the cancellation before it",
    ...withInterruptions,
    firstSeed: 566,
    file: "client/client-connection.ts",
    from: "else if (attachment !== undefined) await attachment.cancel();\n    else await this",
    to: "else if (attachment !== undefined) void attachment.cancel();\n    else void this",
    breaks: /^cancelled/,
  },
  {
    name: "a client that closes a session ends it for the other clients",
    ...withInterruptions,
    firstSeed: 594,
    file: "session/owned-session.ts",
    from: "if (this.#clients.interactive.length === 0) await this.#close();",
    to: "await this.#close();",
    breaks: /^cancelled/,
  },
  {
    name: "a command that arrives while an owner ends that could not write is refused, not sent to the next owner",
    ...withFullStorage,
    firstSeed: 2_054,
    file: "session/owned-session.ts",
    from: "return this.#isUnwritten(command) ? this.#interrupted() : this.#tooLate();",
    to: "return this.#interrupted();",
    breaks: /^settled/,
  },
  {
    name: "the grace timer of a cancelled turn runs on after the turn",
    firstSeed: 12,
    file: "session/turn-queue.ts",
    from: "    turn.stopGrace?.();\n",
    to: "",
    breaks: /^settled/,
  },
  {
    name: "the timer of an unattended request runs on after a client has attached, and decides the request",
    file: "session/agent-requests.ts",
    from: "        request.disarm?.();\n",
    to: "",
    also: {
      file: "session/agent-requests.ts",
      from: "if (!this.#isAttended(request)) this.#settle",
      to: "this.#settle",
    },
    breaks: /^answers: the policy/,
  },
  {
    name: "a client that opens a session again receives requests that it has answered",
    ...withReopenings,
    file: "client/attachment.ts",
    from: "if (this.#requests.has(id) || this.#responses.has(id)) return;",
    to: "if (this.#requests.has(id)) return;",
    breaks: /^dialogs/,
  },
  {
    name: "a removed list of commands comes back when the entry that kept it is removed",
    file: "journal/retention.ts",
    from: "found !== undefined && found.seq > (commands?.seq ?? 0)",
    to: "found !== undefined",
    also: {
      file: "journal/history.ts",
      from: "commands !== undefined && commands.seq > this.#commandsTo",
      to: "commands !== undefined",
    },
    breaks: /^load: .* commands/,
  },
  {
    name: "clients do not receive the end of the turn of another client",
    file: "client/attachment.ts",
    from: "return entry.started === false ? undefined : this.#update(idle(entry.outcome), recorded);",
    to: "return undefined;",
    breaks: /^state: .* idle/,
  },
  {
    name: "an observer receives the requests of agents",
    ...withVariety,
    file: "client/attachment.ts",
    from: "if (abilities.isInteractive && (entry.to",
    to: "if ((entry.to",
    breaks: /^dialogs: the observer/,
  },
  {
    name: "every client receives a request for a file of one client",
    ...withVariety,
    file: "session/agent-requests.ts",
    from: "...(to !== undefined && { to })",
    to: "",
    breaks: /^dialogs: .* another client handles/,
  },
  {
    name: "a session is looked up without its user",
    ...withVariety,
    file: "principal.ts",
    from: "keyName({ scope: { tenant, user }, sessionId }: SessionKey): string {",
    to: 'keyName({ scope: { tenant }, sessionId }: SessionKey): string {\n  const user = "";',
    breaks: /^isolation/,
  },
  {
    name: "an owner continues although the engine did not accept an entry",
    ...withFullStorage,
    file: "journal/journal-writer.ts",
    from: 'if (!isEngineError(error) || error.code !== "unavailable") return this.#endByItself({ is: "failed", error });',
    to: 'if (!isEngineError(error) || error.code !== "unavailable") { this.#unwritten.splice(0, batch.length); continue; }',
    breaks: /^(settled|turns|order|journal|prompts|delivery)/,
  },
  {
    name: "the change of a setting reaches no other client",
    file: "client/attachment.ts",
    from: "return this.#update(entry.update, recorded);",
    to: "return undefined;",
    ...withSettings,
    breaks: /^(delivery|state)/,
  },
  {
    name: "the change of a setting is not appended to the journal",
    file: "session/session-calls.ts",
    from: "if (update !== undefined) onSetting(client, update);",
    to: "if (update !== undefined && params.modeId === undefined) onSetting(client, update);",
    ...withSettings,
    breaks: /^(delivery|state)/,
  },
  {
    name: "a change of a setting is sent to the agent again",
    file: "session/session-calls.ts",
    from: "outcome = { result };",
    to: 'outcome = { result: method === "session/set_mode" ? await agent.request(method, params, opening, {}) : result };',
    ...withSettings,
    breaks: /^calls/,
  },
  {
    name: "the response to the change of a setting hides a later change",
    file: "client/attachment.ts",
    from: "last === undefined || last.seq <= at) return;",
    to: "last !== undefined || at >= 0) return;",
    firstSeed: 380,
    step: 12,
    breaks: /^state/,
  },
];
