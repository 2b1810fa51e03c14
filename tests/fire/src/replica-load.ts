import type { Engine } from "@acp-kit/gateway";
import { type FireClient, fireClient, type Profile } from "./client.js";
import { type Load, type Losses, lossesOf, numbersIn } from "./counts.js";
import type { Replica } from "./replicas.js";
import type { ServerHome } from "./served.js";
import { type SpreadingProxy, spreadingProxy } from "./spreading-proxy.js";

/** One client with one session, behind a load balancer of its own, that runs turn after turn once it is started. */
export interface LoadedClient {
  readonly sessionId: string;
  readonly proxy: SpreadingProxy;
  readonly losses: Losses[];
  /** The number of completed turns. */
  readonly whole: number;
  /** The times at which interrupted turns ended, by `performance.now()`. */
  readonly interruptedAt: readonly number[];
  /** The errors of prompts other than `turn_interrupted`. */
  readonly errors: readonly unknown[];
  start(): void;
  /** Waits for the running turn, and runs a last one. */
  finish(): Promise<void>;
  /** The text that the client received, and the text that another client loads. */
  texts(): Promise<{ readonly live: string; readonly loaded: string }>;
  close(): Promise<void>;
}

let prompts = 0;

/**
 * Connects a client and opens its session. Each prompt has its own number, so that a prompt that runs twice is
 * detected.
 */
export async function loadedClient(
  place: ServerHome,
  profile: Profile,
  replicas: readonly Replica[],
  { updates, pauseMs }: Load,
): Promise<LoadedClient> {
  const ports = replicas.map(({ port }) => port);
  const proxy = await spreadingProxy(ports);
  const client = await fireClient(place, profile, proxy.port);
  const session = await client.open();
  const losses: Losses[] = [];
  const interruptedAt: number[] = [];
  const errors: unknown[] = [];
  let [live, whole, isOver] = ["", 0, false];
  const turn = async (): Promise<void> => {
    let end: unknown;
    try {
      end = await session.prompt(`/flood ${updates} ${pauseMs} in turn ${++prompts}`).result;
    } catch (error) {
      end = error;
    }
    const isWhole = (end as { readonly stopReason?: string }).stopReason === "end_turn";
    const { reason } = ((end as { readonly data?: { readonly reason?: string } }).data ?? {}) as { reason?: string };
    if (isWhole) whole += 1;
    else if (reason === "turn_interrupted") interruptedAt.push(performance.now());
    else errors.push(end);
    const text = client.take();
    live += text;
    losses.push(lossesOf(numbersIn(text), isWhole ? updates : undefined));
  };
  const run = async (): Promise<void> => {
    while (!isOver && errors.length === 0) await turn();
  };
  let turns = Promise.resolve();
  const others: FireClient[] = [];
  return {
    sessionId: session.sessionId,
    ...{ proxy, losses, interruptedAt, errors },
    get whole() {
      return whole;
    },
    start() {
      turns = run();
    },
    async finish() {
      isOver = true;
      await turns;
      if (errors.length === 0) await turn();
    },
    async texts() {
      const port = ports[Math.floor(Math.random() * ports.length)] ?? 0;
      const other = await fireClient(place, profile, port);
      others.push(other);
      await other.open(session.sessionId);
      return { live, loaded: other.take() };
    },
    async close() {
      for (const each of [client, ...others]) await each[Symbol.asyncDispose]();
      await proxy.close();
    },
  };
}

/**
 * Counts the entries with an older epoch than the entry before them. A replica that was no longer the owner would have
 * appended them.
 */
export async function secondOwners(engine: Engine, sessionId: string): Promise<number> {
  const key = { scope: { tenant: "", user: "owner" }, sessionId };
  let [after, count]: [{ seq: number; epoch: number } | undefined, number] = [undefined, 0];
  for (;;) {
    const page = await engine.read(key, after, { maxEntries: 1_000, maxChars: 10_000_000 });
    if (page.is !== "page") throw new Error(`The journal of ${sessionId} is ${page.is}`);
    if (page.entries.length === 0) return count;
    for (const { seq, epoch } of page.entries) {
      if (after !== undefined && (epoch < after.epoch || seq !== after.seq + 1)) count += 1;
      after = { seq, epoch };
    }
  }
}

/** The quantile of a list of times, in whole milliseconds. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}
