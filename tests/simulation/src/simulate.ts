import type { Engine, Gateway, GatewayVersion } from "@acp-kit/gateway";
import type { createGatewayWith, memoryEngine, Retention } from "@acp-kit/gateway/internal";
import type { EntryPosition } from "./acknowledged-entries.js";
import { Answers, isDelegated } from "./answers.js";
import { check } from "./check.js";
import { checkLoaded } from "./check-retention.js";
import { Deletions } from "./deletions.js";
import { type Failovers, LEASE_MS } from "./failovers.js";
import { FullStorage } from "./full-storage.js";
import { History, type HistoryEntry } from "./history.js";
import { Interruptions } from "./interruptions.js";
import { Pipe } from "./pipe.js";
import { PlainClient } from "./plain-client.js";
import { type FaultKind, Record as Log } from "./record.js";
import { Reopenings } from "./reopenings.js";
import { labelOf, scopeOf } from "./scopes.js";
import { Settings } from "./settings.js";
import { playAgent } from "./sim-agent.js";
import { type ReceivedUpdate, SimClient } from "./sim-client.js";
import type { EngineFaults } from "./sim-engine.js";
import { type EngineKind, type SimEngines, simEngines } from "./sim-engines.js";
import { StoredJournals } from "./stored-journals.js";
import { Versions } from "./versions.js";
import { FIRST_MODE } from "./words.js";
import { SimProcess, World } from "./world.js";

/** The code under test: the gateway, or a gateway with an intended mistake. */
export interface Subject {
  readonly createGatewayWith: typeof createGatewayWith;
  readonly memoryEngine: typeof memoryEngine;
  readonly v2: GatewayVersion;
}

/** The result of one simulation. */
export interface Report {
  readonly seed: number;
  /** The detected problems. */
  readonly problems: readonly string[];
  readonly prompts: number;
  readonly updates: number;
  readonly kills: number;
  readonly deletions: number;
  readonly reopenings: number;
  /** How often the storage was full. */
  readonly fullStorages: number;
  /** The number of confirmed cancellations and closings by clients that had not opened the session. */
  readonly interruptions: number;
  /** The number of changes of settings by clients that succeeded. */
  readonly changes: number;
  /** For each loss of a session in a failover: `repaired`, or the reason why it was not. */
  readonly losses: readonly string[];
  /** A hash of all messages and operations of the engine, with their times. */
  readonly trace: string;
}

interface SimReplica {
  readonly process: SimProcess;
  gateway: Gateway | undefined;
}

const times = {
  leaseMs: LEASE_MS,
  retryMs: 100,
  engineGraceMs: 20_000,
  replyMs: 1_000,
  watchMs: 1_000,
  initializeTimeoutMs: 60_000,
  closeMs: 1_000,
  idleTimeoutMs: 10_000,
};
const limits = {
  maxRecentChars: 600,
  maxAgentStarts: 100_000,
  maxBatchEntries: 5,
  maxBatchChars: 2_000,
  maxPageEntries: 4,
  maxPageChars: 2_000,
};

/** How long faults occur, in milliseconds. */
const STORM_MS = 15_000;
/**
 * After the faults, the longest time in which nothing advances, in milliseconds: no client connects, no prompt settles
 * and no entry is appended. The longest legitimate pauses are a user who answers after 20 seconds, and a request that
 * waits for an unavailable engine for as long.
 */
const STILL_MS = 45_000;

/**
 * Simulates one cluster: replicas, an engine, agents, clients and faults. The seed determines the whole simulation.
 *
 * @param isMixed whether each agent and client speaks version 1 or 2 of the protocol. Only those of version 1 request
 * and serve files and terminals of clients.
 */
export async function simulate(
  seed: number,
  subject: Subject,
  kind: EngineKind = "memory",
  isMixed = false,
): Promise<Report> {
  const world = new World(seed);
  const uninstall = world.install();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // the checks read no stack traces, which cost time
  try {
    return await run(seed, world, subject, kind, isMixed);
  } finally {
    uninstall();
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function run(seed: number, world: World, subject: Subject, kind: EngineKind, isMixed: boolean): Promise<Report> {
  const { random } = world;
  const log = new Log();
  const history = new History();
  const faults: EngineFaults = {
    failure: random.chance(0.5) ? 0 : 0.05,
    duplicate: random.chance(0.5) ? 0 : 0.2,
    lostBell: random.chance(0.5) ? 0 : 0.3,
    maxDelayMs: random.pick([0, 2, 30]) ?? 0,
    frozenUntil: 0,
    fullUntil: 0,
  };
  if (faults.failure > 0) log.faults.push({ kind: "calls", at: 0, until: Number.POSITIVE_INFINITY });
  const problem = (message: string): void => log.problem(message);
  const onOutage = (at: number, until: number): void => void log.faults.push({ kind: "engine", at, until });
  const engines = simEngines(kind, { world, subject, faults, history, seed, problem, onOutage });
  const { truth, failovers } = engines;
  // Only the memory engine records the removed entries.
  const isRecorded = kind === "memory";
  const stored = new StoredJournals(truth);
  const finalJournalOf = async (tenant: string, session: string): Promise<readonly HistoryEntry[]> =>
    isRecorded ? history.entries(session) : stored.entries(tenant, session);
  const journalOf: JournalOf =
    failovers === undefined
      ? finalJournalOf
      : async (_, session, end) =>
          end === undefined ? failovers.acknowledged.all(session) : failovers.acknowledged.journal(session, end);
  const retention = isRecorded ? retentionOf(world) : {};
  const answers = new Answers(log);
  const isVaried = hasVariety(seed, kind) && !isMixed;
  const hasRequests = isVaried || isMixed;
  const versions = isMixed ? new Versions(seed, problem) : undefined;
  const fullStorage = new FullStorage({ world, seed, faults, log });
  const agentEndMs = (): number => (hasFullStorage(seed, kind) ? fullStorage.agentEndMs() : 0);
  const cluster = new Cluster({
    ...{
      world,
      subject,
      engines,
      faults,
      log,
      answers,
      history,
      isRecorded,
      journalOf,
      retention,
      agentEndMs,
      isVaried,
      hasRequests,
      versions,
    },
  });
  const replicas = random.int(1, 3);
  for (let i = 0; i < replicas; i++) cluster.startReplica();
  const clients = cluster.startClients();
  const acts = clients.map((client) => behave(world, client, clients));
  const plain = isVaried ? cluster.startPlainClients(seed, clients) : [];
  let isStormOver = false;
  const deletions = hasDeletions(seed, kind, failovers)
    ? new Deletions({ world, seed, clients, failovers })
    : undefined;
  const mayLoad = Object.keys(retention).length === 0;
  const reopenings = new Reopenings({ world, seed, clients, mayLoad });
  const interruptions = new Interruptions({ world, seed, clients });
  const settings = new Settings({ world, seed, clients });
  const isOver = (): boolean => isStormOver;
  const storm = Promise.all([
    disturb({ world, log }, cluster, clients, isOver),
    failovers?.run(),
    deletions?.run(isOver),
    hasReopenings(seed) && reopenings.run(isOver),
    hasInterruptions(seed) && interruptions.run(isOver),
    hasSettings(seed) && settings.run(isOver),
    hasFullStorage(seed, kind) && fullStorage.run(isOver),
    ...plain.map((client) => client.run(isOver)),
  ]);
  await world.runUntil(() => false, STORM_MS);
  isStormOver = true;
  cluster.calm();
  let isActed = false;
  void Promise.all([...acts, storm])
    .then(() => deletions?.used())
    .then(() => {
      isActed = true;
    });
  const isSettled = (): boolean =>
    isActed &&
    plain.every(({ isSettled }) => isSettled) &&
    clients.every(({ prompts, isReady }) => isReady && prompts.every(({ isOpen }) => !isOpen));
  const progress = (): string => {
    const settled = clients.flatMap(({ prompts }) => prompts.filter(({ isOpen }) => !isOpen)).length;
    return [settled, clients.filter(({ isReady }) => isReady).length, history.accepted.length, isActed].join();
  };
  for (let before = ""; !(await world.runUntil(isSettled, STILL_MS)); before = progress()) {
    if (before !== progress()) continue;
    log.problem(`settled: nothing advances for ${STILL_MS} ms, and some prompt or client has not settled`);
    break;
  }
  // Wait until turns without a client have ended, and all clients have received their updates, or the error that
  // entries are lost.
  const hasLost = failovers?.losses.some(({ repairedAt }) => repairedAt === undefined) === true;
  // If a client was too slow for the retention, or received no reply of the owner in time, its prompt has settled with
  // an error. The turn may still run, and its permission requests wait for users.
  const mayRun = new Set(["error cursor_expired", "error engine_unavailable"]);
  const isRunning = clients.some(({ prompts }) =>
    prompts.some(({ outcomes }) => outcomes.some((outcome) => mayRun.has(outcome))),
  );
  // So may the turns of a client that does not repeat its prompts.
  await world.runUntil(() => false, isRunning || plain.length > 0 ? 120_000 : hasLost ? 40_000 : 20_000);
  stored.forget(); // the last check reads the whole journals again
  const losesLeases = kind !== "memory";
  await check({ log, truth, clients, history, isMixed, losesLeases, journalOf: finalJournalOf, failovers, deletions });
  answers.checkTold();
  for (const client of plain) await client.check(finalJournalOf);
  for (const client of [...clients, ...plain]) client.stop();
  cluster.stop();
  return {
    seed,
    problems: log.problems,
    prompts: clients.reduce((sum, { prompts }) => sum + prompts.length, 0),
    updates: [...log.sent.values()].flat().reduce((sum, words) => sum + words.length, 0),
    kills: cluster.kills,
    deletions: deletions?.count ?? 0,
    reopenings: reopenings.count,
    fullStorages: fullStorage.count,
    interruptions: clients.flatMap((one) => one.interruptions).filter(({ doneAt }) => doneAt !== undefined).length,
    changes: settings.count,
    losses: failovers?.losses.map((loss) => failovers.outcome(loss)) ?? [],
    trace: world.trace,
  };
}

/**
 * Returns all entries that were ever in the journal of a session. With failovers: the entries of the journal that ended
 * with the entry at `end`. Without `end`: the entries of all journals that the session ever had.
 */
type JournalOf = (tenant: string, session: string, end?: EntryPosition) => Promise<readonly HistoryEntry[]>;

interface ClusterParts {
  readonly world: World;
  readonly subject: Subject;
  readonly engines: SimEngines;
  readonly faults: EngineFaults;
  readonly log: Log;
  readonly answers: Answers;
  readonly history: History;
  /** Whether `history` contains all entries. */
  readonly isRecorded: boolean;
  readonly journalOf: JournalOf;
  readonly retention: Retention;
  /** Whether this simulation has {@link PlainClient}s and a second user. */
  readonly isVaried: boolean;
  /** Whether agents also request forms, files and terminals. */
  readonly hasRequests: boolean;
  /** The versions that agents and clients speak; `undefined` if all speak version 1. */
  readonly versions: Versions | undefined;
  /** Returns how long the processes of an agent take to end, in milliseconds. */
  readonly agentEndMs: () => number;
}

/**
 * Whether clients delete sessions in this simulation. Deleted journals are recorded only with the memory engine or with
 * failovers.
 */
function hasDeletions(seed: number, kind: EngineKind, failovers: Failovers | undefined): boolean {
  return kind === "memory" ? seed % 5 === 0 : failovers !== undefined && seed % 2 === 0;
}

/**
 * Of this number of successive seeds, two have {@link FullStorage}, two have {@link Reopenings}, two have
 * {@link Interruptions}, and two have {@link Settings}. The pairs overlap.
 */
export const ACTIONS_EVERY = 7;

/** Whether clients open sessions again that they have open. */
function hasReopenings(seed: number): boolean {
  return [4, 5].includes(seed % ACTIONS_EVERY);
}

/** Whether clients cancel and close sessions that they have not opened. */
function hasInterruptions(seed: number): boolean {
  return [5, 6].includes(seed % ACTIONS_EVERY);
}

/** Whether clients change modes and options. */
function hasSettings(seed: number): boolean {
  return [0, 2].includes(seed % ACTIONS_EVERY);
}

/**
 * Whether there are clients, users and requests of other kinds. With the memory engine, which records the removed
 * entries. Deletions would end the checks of these clients.
 */
function hasVariety(seed: number, kind: EngineKind): boolean {
  return kind === "memory" && [1, 2].includes(seed % ACTIONS_EVERY) && seed % 5 !== 0;
}

/**
 * Whether the storage is full at times. Only the simulated memory engine can be full; half of these seeds also have
 * {@link Reopenings}.
 */
function hasFullStorage(seed: number, kind: EngineKind): boolean {
  return kind === "memory" && [3, 4].includes(seed % ACTIONS_EVERY);
}

/** Returns the retention of the cluster. Half of the simulations have no limits. */
function retentionOf({ random }: World): Retention {
  if (random.chance(0.5)) return {};
  return {
    ...(random.chance(0.4) && { maxTurns: random.int(1, 3) }),
    ...(random.chance(0.4) && { maxChars: random.int(300, 3_000) }),
    ...(random.chance(0.4) && { maxAgeMs: random.int(300, 6_000) }),
  };
}

/** The servers of a simulation. */
class Cluster {
  readonly #parts: ClusterParts;
  readonly #replicas: SimReplica[] = [];
  readonly #agents: SimProcess[] = [];
  readonly #modes = new Map<string, string>();
  readonly #options = new Map<string, string>();
  #ids = 0;
  #isStopped = false;
  kills = 0;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
  }

  get replicas(): readonly SimReplica[] {
    return this.#replicas.filter(({ process }) => !process.isDead);
  }

  get agents(): readonly SimProcess[] {
    return this.#agents.filter(({ isDead }) => !isDead);
  }

  get faults(): EngineFaults {
    return this.#parts.faults;
  }

  get failovers(): Failovers | undefined {
    return this.#parts.engines.failovers;
  }

  startReplica(): void {
    const { world, subject, engines, retention, hasRequests, versions } = this.#parts;
    const process = new SimProcess(world, `replica ${++this.#ids}`);
    process.onKill(() => this.failovers?.incident(process.name, "killed"));
    const replica: SimReplica = { process, gateway: undefined };
    this.#replicas.push(replica);
    const engine = engines.open(process);
    subject
      .createGatewayWith({
        engine,
        ...(versions !== undefined && { versions: [subject.v2] }),
        clock: process,
        times,
        limits,
        randomId: () => `id-${++this.#ids}`,
        warm: world.random.int(0, 1),
        agentPer: world.random.chance(0.3) ? "principal" : "session",
        policy: {
          unattendedTimeoutMs: 3_000,
          sleepAfterMs: world.random.int(500, 10_000),
          cancelGraceMs: 2_000,
          retention,
          delegate: { files: hasRequests, terminals: hasRequests },
        },
        start: ({ principal }) => this.#startAgent(process, labelOf(principal)),
      })
      .then(
        (gateway) => {
          replica.gateway = gateway;
        },
        () => {
          process.kill(); // the replica could not join, so the host starts another one later
          if (!this.#isStopped) world.after(500, () => this.startReplica());
        },
      );
  }

  startClients(): SimClient[] {
    const { world, log, isVaried, hasRequests, history, journalOf, versions } = this.#parts;
    return Array.from({ length: world.random.int(2, 4) }, (_, i) => {
      const tenant = i === 3 ? (isVaried && world.random.chance(0.5) ? "mate" : "other") : "acme";
      return new SimClient({
        world,
        name: `c${i}`,
        tenant,
        version: versions?.ofClientNamed(`c${i}`) ?? 1,
        isMixed: versions !== undefined,
        isOneVersionOfAgents: versions?.isOneOfAgents ?? true,
        servesFiles: hasRequests && i !== 1,
        servesTerminals: hasRequests && i !== 2,
        hasId: isVaried && i !== 0,
        connect: (process) => this.#connect(process, tenant),
        onUpdate: ({ sessionId }, update) => {
          const { text } = update;
          if (!text.startsWith(`${tenant}/`) && text !== FIRST_MODE)
            log.problem(`isolation: ${tenant} received ${text}`);
          void this.#assertDurable(tenant, sessionId, update);
        },
        trims: (sessionId) => history.trims(sessionId).length,
        onLoaded: (loaded) => {
          const trims = history.trims(loaded.session).length;
          void journalOf(tenant, loaded.session, loaded.at).then((entries) =>
            checkLoaded(log, `c${i}`, loaded, { entries, trims }),
          );
        },
        onDialog: (dialog) => this.#parts.answers.shown(dialog),
        problem: (message) => log.problem(message),
      });
    });
  }

  /** Starts an observer, and a client that does not know the extensions of the gateway. */
  startPlainClients(seed: number, clients: readonly SimClient[]): PlainClient[] {
    const { world, log, answers, history } = this.#parts;
    const tenant = "acme";
    const mates = clients.filter((client) => client.tenant === tenant);
    return ["observer", "plain"].map(
      (name, i) =>
        new PlainClient({
          ...{ world, name, tenant, isObserver: name === "observer", seed: seed + i, log, answers },
          connect: (process, isObserver) => this.#connect(process, tenant, isObserver),
          sessions: () => mates.flatMap(({ sessions }) => [...sessions.keys()]),
          trims: (sessionId) => history.trims(sessionId).length,
        }),
    );
  }

  /** Ends all faults: paused processes continue, the engine works, and at least one replica runs. */
  calm(): void {
    const { faults } = this.#parts;
    Object.assign(faults, { failure: 0, frozenUntil: 0, fullUntil: 0 });
    for (const { process } of this.#replicas) process.resume();
    if (this.replicas.length === 0) this.startReplica();
  }

  stop(): void {
    this.#isStopped = true;
    for (const { process } of this.#replicas) process.kill();
  }

  #connect(client: SimProcess, tenant: string, isObserver = false) {
    const { world } = this.#parts;
    const replica = world.random.pick(this.replicas);
    if (replica?.gateway === undefined) return undefined;
    const [ours, theirs] = Pipe.between(world, client, replica.process);
    const { gateway, process } = replica;
    process.run(() => {
      try {
        gateway.accept(theirs, { ...scopeOf(tenant), ...(isObserver && { access: "observe" as const }) });
      } catch {
        // The replica is shutting down.
      }
    });
    return this.#parts.versions?.ofClient(ours, client) ?? ours;
  }

  #startAgent(replica: SimProcess, tenant: string) {
    const { world, log, answers, engines, hasRequests, versions } = this.#parts;
    const process = new SimProcess(world, `agent ${++this.#ids}`);
    this.#agents.push(process);
    // The agent's process ends a moment after its replica.
    replica.onKill(() => world.after(world.random.int(0, 300), () => process.kill()));
    const [ours, theirs] = Pipe.between(world, replica, process, 5);
    ours.closeMs = this.#parts.agentEndMs();
    playAgent(versions?.ofAgent(theirs) ?? theirs, {
      world,
      process,
      log,
      modes: this.#modes,
      options: this.#options,
      isMixed: versions !== undefined,
      hasRequests,
      tenant,
      newId: () => `agent-session-${++this.#ids}`,
      onAnswer: (request, answer, isCancelled) => {
        answers.check(request, answer, { now: world.now(), isCancelled });
        log.answers.set(request, [...(log.answers.get(request) ?? []), answer]);
        if (!request.includes("?form") && !isDelegated(request))
          void this.#assertAnswered(engines.truth, tenant, request, answer);
      },
      problem: (message) => log.problem(message),
    });
    return ours;
  }

  /**
   * Checks that a received update is, or was, in the journal. An update must be durable before a client receives it.
   */
  async #assertDurable(tenant: string, sessionId: string, update: ReceivedUpdate): Promise<void> {
    const { seq, text, isJoined } = update;
    if (isJoined) return; // the words are those of earlier entries
    const entry =
      this.failovers === undefined
        ? (await this.#parts.journalOf(tenant, sessionId)).find((one) => one.seq === seq)
        : this.failovers.acknowledged.at(sessionId, update);
    if (entry?.text.includes(JSON.stringify(text).slice(1, -1)) !== true)
      this.#parts.log.problem(`write-ahead: a client received ${text} before it was in the journal at ${seq}`);
  }

  /** Checks that a response is in the journal when an agent receives it. */
  async #assertAnswered(truth: Engine, tenant: string, request: string, answer: string): Promise<void> {
    const stored = async (): Promise<string[]> =>
      (await truth.list(scopeOf(tenant), { limit: 1_000 })).sessions.map(({ sessionId }) => sessionId);
    const { history, isRecorded } = this.#parts;
    const recorded = isRecorded ? history.sessions : undefined;
    for (const sessionId of this.failovers?.acknowledged.sessions ?? recorded ?? (await stored())) {
      const entries = await this.#parts.journalOf(tenant, sessionId);
      const opened = entries.filter(({ type, text }) => type === "request_opened" && text.includes(`"${request}"`));
      const isSettled = entries.some(
        ({ type, id, text }) =>
          type === "request_settled" && opened.some((one) => one.id === id) && text.includes(`"${answer}"`),
      );
      if (isSettled) return;
    }
    this.#parts.log.problem(`answers: an agent received ${answer} for ${request} before it was journalled`);
  }
}

/** Simulates the user of a client. */
async function behave(world: World, client: SimClient, clients: readonly SimClient[]): Promise<void> {
  const { random } = world;
  const pause = () => world.sleep(random.int(10, 1_500));
  const steps = random.int(4, 10);
  for (let step = 0, prompts = 0, calls = 0; step < steps; step++) {
    await pause();
    const session = random.pick([...client.sessions.values()]);
    const others = clients.filter((one) => one !== client);
    const known = random.pick(
      others.flatMap((one) => [...one.sessions.keys()].map((sessionId) => ({ sessionId, tenant: one.tenant }))),
    );
    if (session === undefined || random.chance(0.1)) {
      if (known !== undefined && known.tenant === client.tenant && random.chance(0.7))
        await client.join(known.sessionId);
      else await client.newSession();
    } else if (random.chance(0.6)) client.prompt(session, `${client.tenant}/${client.name}/${prompts++}`);
    else if (random.chance(0.3)) client.cancel(session);
    else if (random.chance(0.4)) await client.call(session, `${client.name}/call/${calls++}`);
    else if (random.chance(0.5)) await client.leave();
    else if (known !== undefined && known.tenant !== client.tenant) await client.trespass(known.sessionId);
    else if (known !== undefined) await client.join(known.sessionId);
  }
}

/** Causes faults at random times. */
async function disturb(
  { world, log }: { readonly world: World; readonly log: Log },
  cluster: Cluster,
  clients: readonly SimClient[],
  isOver: () => boolean,
): Promise<void> {
  const { random } = world;
  const everyMs = random.pick([300, 1_000, 4_000]) ?? 1_000;
  while (!isOver()) {
    await world.sleep(random.int(1, everyMs * 2));
    if (isOver()) return;
    const replica = random.pick(cluster.replicas);
    const kind = random.int(0, 9);
    const fault = (what: FaultKind, durationMs = 0): void =>
      void log.faults.push({ kind: what, at: world.now(), until: world.now() + durationMs });
    if (kind <= 3) void random.pick(clients)?.leave();
    else if (kind === 4 && replica !== undefined) {
      cluster.kills += 1;
      fault("replica");
      replica.process.kill();
      world.after(random.int(10, 3_000), () => cluster.startReplica());
    } else if (kind === 5 && replica !== undefined) {
      const pauseMs = random.int(10, 8_000);
      replica.process.pause();
      fault("replica", pauseMs);
      cluster.failovers?.incident(replica.process.name, "paused", world.now() + pauseMs);
      world.after(pauseMs, () => replica.process.resume());
    } else if (kind === 6) {
      fault("agent");
      random.pick(cluster.agents)?.kill();
    } else if (kind === 7) {
      const freezeMs = random.int(10, 4_000);
      cluster.faults.frozenUntil = world.now() + freezeMs;
      fault("engine", freezeMs);
    } else if (kind === 8 && replica?.gateway !== undefined && cluster.replicas.length > 1) {
      const { gateway, process } = replica;
      fault("replica");
      cluster.failovers?.incident(process.name, "drained");
      process.run(() => void gateway.drain({ graceMs: random.int(0, 2_000) }).then(() => process.kill()));
      world.after(random.int(10, 3_000), () => cluster.startReplica());
    }
  }
}
