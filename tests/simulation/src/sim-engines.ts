import type { Engine } from "@acp-kit/gateway";
import { PostgresEngine, type PostgresPort } from "@acp-kit/gateway-postgres";
import { RedisEngine, type RedisPort } from "@acp-kit/gateway-redis";
import { Failovers } from "./failovers.js";
import type { AcceptedAppend, History } from "./history.js";
import { ModelLink } from "./model-link.js";
import { ModelPostgres } from "./model-postgres.js";
import { entriesOfAppend, ModelRedis } from "./model-redis.js";
import type { ModelServer, StoredSession } from "./model-server.js";
import { type EngineFaults, SimEngine } from "./sim-engine.js";
import type { Subject } from "./simulate.js";
import type { SimProcess, World } from "./world.js";

/**
 * The engine of a simulation: the memory engine with faults, or the real code of another engine on a model of its
 * server.
 */
export type EngineKind = "memory" | "redis" | "postgres";

/** Options of {@link simEngines}. */
export interface SimEngineParts {
  readonly world: World;
  readonly subject: Subject;
  readonly faults: EngineFaults;
  readonly history: History;
  readonly seed: number;
  readonly problem: (message: string) => void;
  /** Called with the times of an outage of the engine's server. */
  readonly onOutage: (at: number, until: number) => void;
}

/** The engine of a simulation. */
export interface SimEngines {
  /** The stored data, without faults. */
  readonly truth: Engine;
  /** The failovers of the engine's server; `undefined` if this simulation has none. */
  readonly failovers?: Failovers;
  /** Creates the engine of a replica, with faults. */
  open(process: SimProcess): Engine;
}

/** Every third seed has failovers. So both the odd and the even seeds contain failovers. */
export const FAILOVER_EVERY = 3;

export function simEngines(kind: EngineKind, parts: SimEngineParts): SimEngines {
  return makers[kind](parts);
}

const makers: Readonly<Record<EngineKind, (parts: SimEngineParts) => SimEngines>> = {
  memory: ({ world, subject, faults, history }) => {
    const truth = subject.memoryEngine({ now: () => world.now() });
    return { truth, open: (process) => new SimEngine(world, truth, process, faults, history) };
  },
  redis: (parts) => {
    const server = new ModelRedis(() => parts.world.now());
    const ways = waysTo(server, parts);
    return {
      truth: new RedisEngine(redisPort(server), "sim"),
      ...ways,
      open: (process) => new RedisEngine(redisPort(server, ways.open(process, true)), "sim"),
    };
  },
  postgres: (parts) => {
    const server = new ModelPostgres(() => parts.world.now());
    const ways = waysTo(server, parts);
    return {
      truth: new PostgresEngine(postgresPort(server), "sim"),
      ...ways,
      open: (process) => new PostgresEngine(postgresPort(server, ways.open(process, false)), "sim"),
    };
  },
};

/** Creates the failovers of a server, and the simulated network between each replica and the server. */
function waysTo(
  server: ModelServer,
  { world, faults, history: { accepted }, seed, problem, onOutage }: SimEngineParts,
) {
  const failovers =
    seed % FAILOVER_EVERY === 0 ? new Failovers({ world, seed, server, accepted, problem, onOutage }) : undefined;
  const open = (process: SimProcess, isOrdered: boolean): FaultyWay => ({
    link: new ModelLink(world, process, faults, isOrdered, failovers),
    process,
    accepted,
    failovers,
  });
  return { ...(failovers !== undefined && { failovers }), open };
}

interface FaultyWay {
  readonly link: ModelLink;
  readonly process: SimProcess;
  readonly accepted: AcceptedAppend[];
  readonly failovers: Failovers | undefined;
}

/** Records an append that a server has accepted from a replica. */
function recordAppend(
  { process, accepted, failovers }: FaultyWay,
  { sessionId: session, last }: StoredSession,
  epoch: number,
  texts: () => readonly string[],
): void {
  const append = { replica: process.name, session, epoch };
  if (failovers === undefined) accepted.push(append);
  else failovers.appended(append, last, texts());
}

/** Returns the access of one replica to the model of Redis. Without `way` (the network), there are no faults. */
export function redisPort(server: ModelRedis, way?: FaultyWay): RedisPort {
  const call = async <Result>(what: string, work: (isLate: boolean) => Result): Promise<Result> =>
    way === undefined ? work(false) : way.link.call(what, work);
  return {
    run: (script, keys, args) => {
      const [key = ""] = keys;
      const named = server.session(key);
      if (script.name === "release" && named !== undefined)
        way?.failovers?.releasing(way.process.name, named.sessionId);
      return call(script.name, (isLate) => {
        const before = server.session(key);
        const result = server.run(script, keys, args);
        if (way === undefined || before === undefined) return result;
        const [is] = result as string[];
        const entries = script.name === "append" && is === "appended" ? entriesOfAppend(args) : [];
        if (entries.length > 0) recordAppend(way, before, Number(args[0]), () => entries);
        if (script.name === "acquire" && is === "held")
          way.failovers?.acquired(way.process.name, before.sessionId, isLate);
        return result;
      });
    },
    command: (...words) => call(words[0] ?? "", () => server.command(words)),
    subscribe: (channel, onMessage) =>
      server.subscribe(channel, () => (way === undefined ? queueMicrotask(onMessage) : way.link.ring(onMessage))),
    close: async () => {},
  };
}

/** Returns the access of one replica to the model of PostgreSQL. Without `way` (the network), there are no faults. */
export function postgresPort(server: ModelPostgres, way?: FaultyWay): PostgresPort {
  const call = async <Result>(what: string, work: (isLate: boolean) => Result): Promise<Result> =>
    way === undefined ? work(false) : way.link.call(what, work);
  return {
    run: (statement, values) => {
      const name = statement.name.slice("acp_kit_".length);
      const sessionOf = (key: unknown): StoredSession | undefined =>
        Buffer.isBuffer(key) ? server.session(key) : undefined;
      const named = sessionOf(values[0]);
      if (name === "release" && named !== undefined) way?.failovers?.releasing(way.process.name, named.sessionId);
      return call(statement.name, (isLate) => {
        const keys = name === "append" ? (values[0] as readonly Buffer[]) : values.slice(0, 1);
        const before = keys.map(sessionOf);
        const rows = server.run(statement, values);
        if (way === undefined) return rows;
        const [held] = before;
        if (name === "acquire" && rows[0]?.held === true && held !== undefined)
          way.failovers?.acquired(way.process.name, held.sessionId, isLate);
        if (name !== "append") return rows;
        const [, epochs, firsts, counts] = values as [Buffer[], number[], number[], number[]];
        for (const { i, epoch, last_seq } of rows) {
          const at = Number(i) - 1;
          const [session, count = 0] = [before[at], counts[at]];
          const isAppended = epoch === epochs[at] && Number(last_seq) + 1 === firsts[at] && count > 0;
          if (isAppended && session !== undefined)
            recordAppend(way, session, Number(epoch), () => server.newest(keys[at] as Buffer, count));
        }
        return rows;
      });
    },
    notify: (statement, values) => call(statement.name, () => void server.run(statement, values)),
    runReserved: (statement, values) => call(statement.name, () => server.run(statement, values)),
    runBoth: (first, values, second, column) =>
      call(first.name, () => {
        const rows = server.run(first, values);
        const [row] = rows;
        if (row !== undefined) server.run(second, [row[column]]);
        return rows;
      }),
    listen: (onNotice) => {
      server.listen((payload) =>
        way === undefined ? queueMicrotask(() => onNotice(payload)) : way.link.ring(() => onNotice(payload)),
      );
    },
    close: async () => {},
  };
}
