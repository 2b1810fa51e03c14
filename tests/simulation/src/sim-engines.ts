import type { Engine } from "@acp-kit/gateway";
import { PostgresEngine, type PostgresPort } from "@acp-kit/gateway-postgres";
import { RedisEngine, type RedisPort } from "@acp-kit/gateway-redis";
import type { AcceptedAppend, History } from "./history.js";
import { ModelLink } from "./model-link.js";
import { ModelPostgres } from "./model-postgres.js";
import { ModelRedis } from "./model-redis.js";
import { type EngineFaults, SimEngine } from "./sim-engine.js";
import type { Subject } from "./simulate.js";
import type { SimProcess, World } from "./world.js";

/** The engine of a simulation: the memory engine with faults, or the real code of another engine on a model of its server. */
export type EngineKind = "memory" | "redis" | "postgres";

/** Options of {@link simEngines}. */
export interface SimEngineParts {
  readonly world: World;
  readonly subject: Subject;
  readonly faults: EngineFaults;
  readonly history: History;
}

/** The engine of a simulation. */
export interface SimEngines {
  /** The stored data, without faults. */
  readonly truth: Engine;
  /** Creates the engine of a replica, with faults. */
  open(process: SimProcess): Engine;
}

export function simEngines(kind: EngineKind, parts: SimEngineParts): SimEngines {
  return makers[kind](parts);
}

const makers: Readonly<Record<EngineKind, (parts: SimEngineParts) => SimEngines>> = {
  memory: ({ world, subject, faults, history }) => {
    const truth = subject.memoryEngine({ now: () => world.now() });
    return { truth, open: (process) => new SimEngine(world, truth, process, faults, history) };
  },
  redis: ({ world, faults, history: { accepted } }) => {
    const server = new ModelRedis(() => world.now());
    return {
      truth: new RedisEngine(redisPort(server), "sim"),
      open: (process) => {
        const link = new ModelLink(world, process, faults, true);
        return new RedisEngine(redisPort(server, { link, process, accepted }), "sim");
      },
    };
  },
  postgres: ({ world, faults, history: { accepted } }) => {
    const server = new ModelPostgres(() => world.now());
    return {
      truth: new PostgresEngine(postgresPort(server), "sim"),
      open: (process) => {
        const link = new ModelLink(world, process, faults, false);
        return new PostgresEngine(postgresPort(server, { link, process, accepted }), "sim");
      },
    };
  },
};

interface FaultyWay {
  readonly link: ModelLink;
  readonly process: SimProcess;
  readonly accepted: AcceptedAppend[];
}

/** The model of Redis for one replica. Without `way`, it has no faults. */
export function redisPort(server: ModelRedis, way?: FaultyWay): RedisPort {
  const call = async <Result>(what: string, work: () => Result): Promise<Result> =>
    way === undefined ? work() : way.link.call(what, work);
  return {
    run: (script, keys, args) =>
      call(script.name, () => {
        const result = server.run(script, keys, args);
        const isAppend = script.name === "append" && args.length > 7 && (result as string[])[0] === "appended";
        if (isAppend) way?.accepted.push({ replica: way.process.name, session: keys[0] ?? "", epoch: Number(args[0]) });
        return result;
      }),
    command: (...words) => call(words[0] ?? "", () => server.command(words)),
    subscribe: (channel, onMessage) =>
      server.subscribe(channel, () => (way === undefined ? queueMicrotask(onMessage) : way.link.ring(onMessage))),
    close: async () => {},
  };
}

/** The model of PostgreSQL for one replica. Without `way`, it has no faults. */
export function postgresPort(server: ModelPostgres, way?: FaultyWay): PostgresPort {
  const call = async <Result>(what: string, work: () => Result): Promise<Result> =>
    way === undefined ? work() : way.link.call(what, work);
  return {
    run: (statement, values) =>
      call(statement.name, () => {
        const rows = server.run(statement, values);
        if (way === undefined || statement.name !== "acp_kit_append") return rows;
        const [keys, epochs, firsts, counts] = values as [Buffer[], number[], number[], number[]];
        for (const { i, epoch, last_seq } of rows) {
          const at = Number(i) - 1;
          const isAppended = epoch === epochs[at] && Number(last_seq) + 1 === firsts[at] && (counts[at] ?? 0) > 0;
          const session = keys[at]?.toString("hex") ?? "";
          if (isAppended) way.accepted.push({ replica: way.process.name, session, epoch: Number(epoch) });
        }
        return rows;
      }),
    notify: (statement, values) => call(statement.name, () => void server.run(statement, values)),
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
