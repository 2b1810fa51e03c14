import { type AcpProxy, createProxy, type ProxyDefinition } from "@acp-kit/proxy";
import fc from "fast-check";
import { expect, test } from "vitest";
import { delivered, info, type Json, type RawChain, rawChain } from "../../test/raw-peer.js";

type Manner = "sync" | "slow" | "after next" | "throws" | "drops" | "passes";

/** A point at which an interceptor waits until the test lets it continue. */
class Gates {
  readonly #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Opens one of the gates. */
  open(pick: number): void {
    if (this.#waiting.length > 0) this.#waiting.splice(pick % this.#waiting.length, 1)[0]?.();
  }

  async openAll(): Promise<void> {
    for (let round = 0; round < 50 && this.#waiting.length > 0; round += 1) {
      while (this.#waiting.length > 0) this.#waiting.shift()?.();
      await delivered();
    }
  }
}

/** A proxy that treats each message as the message itself says. */
function obedient(gates: Gates): AcpProxy {
  const intercept = async (
    message: { params: unknown },
    next: (params?: never) => unknown,
    answer?: unknown,
  ): Promise<unknown> => {
    const { _meta } = message.params as { _meta?: { manner?: Manner } };
    switch (_meta?.manner) {
      case "slow":
        await gates.wait();
        return await next();
      case "after next": {
        const result = await next();
        await gates.wait();
        return result;
      }
      case "throws":
        await gates.wait();
        throw new Error("broken");
      case "drops":
        return answer;
      default:
        return await next();
    }
  };
  const sync = (message: { params: unknown }, next: (params?: never) => unknown, answer?: unknown): unknown => {
    const { _meta } = message.params as { _meta?: { manner?: Manner } };
    return _meta?.manner === "sync" ? next() : intercept(message, next, answer);
  };
  const definition: ProxyDefinition = {
    info,
    fromClient: {
      "session/prompt": (message, next) => sync(message, next as never, { stopReason: "refusal" }) as never,
      _note: (message, next) => sync(message, next as never),
    },
    fromAgent: {
      "session/update": { agent_message_chunk: (message, next) => sync(message, next as never) as never },
      "fs/read_text_file": (message, next) => sync(message, next as never, { content: "" }) as never,
    },
  };
  return createProxy(definition);
}

interface Step {
  readonly from: "client" | "agent";
  readonly kind: "request" | "note" | "respond" | "gate";
  readonly session: string;
  readonly manner: Manner;
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  from: fc.constantFrom("client", "agent"),
  kind: fc.constantFrom("request", "note", "note", "respond", "gate"),
  session: fc.constantFrom("s1", "s2", "s3"),
  manner: fc.constantFrom<Manner>("sync", "slow", "after next", "throws", "drops", "passes"),
  pick: fc.nat(20),
});

/** Sends the messages of a script, and records them in the order in which they were sent. */
class Script {
  readonly sent: Record<"client" | "agent", Json[]> = { client: [], agent: [] };
  readonly asked: Record<"client" | "agent", number[]> = { client: [], agent: [] };
  readonly #answered = new Set<string>();
  readonly #chain: RawChain;
  #count = 0;

  constructor(chain: RawChain) {
    this.#chain = chain;
  }

  take({ from, kind, session, manner, pick }: Step): void {
    this.#count += 1;
    const n = this.#count;
    const peer = this.#chain[from];
    const params = { sessionId: session, n, _meta: { manner } };
    const send = (message: Json): void => {
      this.sent[from].push({ ...message, n, session });
      peer.send(message);
    };
    if (kind === "request") {
      this.asked[from].push(n);
      const [method, own] =
        from === "client" ? ["session/prompt", { prompt: [] }] : ["fs/read_text_file", { path: "/a" }];
      send({ id: n, method, params: { ...params, ...own } });
    } else if (kind === "note") {
      if (from === "client") send({ method: "_note", params });
      else {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } };
        send({ method: "session/update", params: { ...params, update } });
      }
    } else if (kind === "respond") this.#respond(from, pick);
  }

  respondAll(): void {
    for (const from of ["client", "agent"] as const) for (let n = 0; n < 200; n += 1) this.#respond(from, 0);
  }

  #respond(from: "client" | "agent", pick: number): void {
    const peer = this.#chain[from];
    const open = peer.received.filter(
      ({ id, method }) => method !== undefined && id !== undefined && !this.#answered.has(`${from} ${id}`),
    );
    const request = open[pick % Math.max(1, open.length)];
    if (request === undefined) return;
    this.#answered.add(`${from} ${request.id}`);
    const { sessionId } = request.params as { sessionId: string };
    const result = from === "agent" ? { stopReason: "end_turn" } : { content: "text" };
    this.sent[from].push({ id: request.id, response: true, session: sessionId });
    peer.respond(request.id, result);
  }
}

/** A message as it is compared: requests and notifications by their number, responses by their id. */
const nameOf = (message: { id?: unknown; method?: unknown; params?: unknown; n?: unknown }): string => {
  const n = (message.params as { n?: number } | undefined)?.n ?? message.n;
  return message.method === undefined ? `response ${message.id}` : `${n}`;
};

test.each(["client", "agent"] as const)(
  "proxy.order: whatever interceptors do, messages of a session leave in the order of arrival, and each request settles once (beside the %s)",
  async (beside) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, length) => {
        const gates = new Gates();
        const chain = rawChain(
          Array.from({ length }, () => obedient(gates)),
          { beside },
        );
        const script = new Script(chain);
        for (const each of steps) {
          if (each.kind === "gate") gates.open(each.pick);
          else script.take(each);
          if (each.pick % 3 === 0) await delivered();
        }
        for (let round = 0; round < 5; round += 1) {
          await delivered();
          await gates.openAll();
          script.respondAll();
        }
        await delivered();
        for (const from of ["client", "agent"] as const) {
          const to = from === "client" ? "agent" : "client";
          const arrived = chain[to].received.map(nameOf);
          for (const session of ["s1", "s2", "s3"]) {
            const sent = script.sent[from].filter((message) => message.session === session).map(nameOf);
            // Responses of the proxies themselves are in no order with messages of the other side.
            const passed = arrived.filter((name) => sent.includes(name));
            expect(passed).toEqual(sent.filter((name) => passed.includes(name)));
          }
          for (const id of script.asked[from]) expect(chain[from].responses(id)).toHaveLength(1);
        }
      }),
      { numRuns: 60 },
    );
  },
);
