import { Readable, Writable } from "node:stream";
import { type Agent, createAgent } from "@acp-kit/agent";
import { connectAgent, isRpcError, type RuleDecision, type Session } from "@acp-kit/client";
import type { ServedAgent } from "@acp-kit/http";
import { linkedTransports, type Transport } from "@acp-kit/protocol";
import { checkV1Agent, checkV1Client } from "@acp-kit/protocol/strict";
import { byteTransport } from "@acp-kit/stdio";
import { nodeTransport } from "@acp-kit/stdio/node";
import fc from "fast-check";
import { expect, it } from "vitest";
import { throughStreams } from "./harness/connect.js";
import {
  CANCEL_ME,
  contentOf,
  type Dialogue,
  dialogueAgent,
  expected,
  type Step,
  type Transcript,
  wordOf,
} from "./harness/dialogue.js";
import { longText, orLarge } from "./harness/large.js";
import { type Mangling, mangled, mangledPipe } from "./harness/mangled-pipe.js";
import { isProfile, openRemote, type Profile } from "./harness/remote.js";
import { isResponse, Wire } from "./harness/wire.js";

const text = orLarge(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  longText.map((long) => long.slice(0, 4_000)), // The text may be sent byte by byte.
);
const path = fc.stringMatching(/^\/work\/[a-z]{1,8}$/);

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constantFrom("say" as const, "think" as const), text }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("plan" as const), entries: fc.nat(3) }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("tool" as const),
      title: fc.constant("tool"),
      answer: fc.constantFrom("allow_once" as const, "reject_once" as const, "cancelled" as const, "unasked" as const),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constantFrom("read" as const, "write" as const), path }), weight: 2 },
  {
    arbitrary: fc.record({ do: fc.constant("all at once" as const), count: fc.integer({ min: 2, max: 4 }) }),
    weight: 1,
  },
  { arbitrary: fc.constant({ do: "be cancelled" as const }), weight: 1 },
);

const dialogue: fc.Arbitrary<Dialogue> = fc.array(
  fc.array(
    fc.record({
      steps: fc.array(step, { maxLength: 6 }),
      ending: fc.constantFrom("end_turn" as const, "refusal" as const, "max_tokens" as const, 1234 as const),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 3 },
);

const turns = fc.array(fc.nat(2), { minLength: 1, maxLength: 7 });
const mangling: fc.Arbitrary<Mangling> = fc.record({
  cuts: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 7 }),
  delays: turns,
});

const local = ["linked transports", "web streams", "web byte streams", "node streams"] as const;

const circumstances = fc.record({
  there: mangling,
  back: mangling,
  /**
   * Numbers of event-loop turns: between the agent's steps, in the client's listeners, and before the client's
   * responses.
   */
  agentPauses: turns,
  listenerPauses: turns,
  answerPauses: turns,
  /** Whether all prompts of a session are sent at once, or each after the previous turn has ended. */
  eager: fc.boolean(),
});
type Circumstances = (typeof circumstances extends fc.Arbitrary<infer T> ? T : never) & {
  readonly how: (typeof local)[number] | Profile;
};

it.each([
  ["in one process", local, 200],
  ["over streamable HTTP", ["streamable HTTP"], 12],
  ["over WebSocket", ["WebSocket"], 12],
] as const)(
  "order.any-interleaving: TRANS-10 TRANS-13 a dialogue has the same transcripts over any transport, with bytes cut anywhere and either side slow: %s",
  async (_where, transports, numRuns) => {
    const how = fc.constantFrom(...transports);
    await fc.assert(
      fc.asyncProperty(dialogue, circumstances, how, async (dialogue, circumstances, how) => {
        expect(await play(dialogue, { ...circumstances, how })).toEqual(dialogue.map((turns) => turns.map(expected)));
      }),
      { numRuns },
    );
  },
);

/** Runs a dialogue. Returns the updates that the client has received, per session and turn. */
async function play(dialogue: Dialogue, circumstances: Circumstances): Promise<Transcript[][]> {
  const definition = dialogueAgent(dialogue, pauses(circumstances.agentPauses));
  await using joined = await join(createAgent(definition, { checkOutgoing: checkV1Agent }), circumstances);
  const pause = pauses(circumstances.listenerPauses);
  const think = pauses(circumstances.answerPauses);
  const wire = new Wire();
  const client = await connectAgent(joined.transport, {
    checkOutgoing: checkV1Client,
    tap: wire.tap,
    permissions: async (_request, { session }) => {
      await think();
      return scripted.get(session as Session)?.shift();
    },
    files: {
      readTextFile: async ({ path }) => {
        await think();
        return { content: contentOf(path) };
      },
      writeTextFile: think,
    },
  });
  const scripted = new Map<Session, RuleDecision[]>();
  try {
    const sessions: Session[] = [];
    for (const _ of dialogue) sessions.push(await client.newSession({ cwd: "/work" }));
    return await Promise.all(
      dialogue.map(async (turns, s) => {
        const session = sessions[s] as Session;
        scripted.set(
          session,
          turns.flatMap(({ steps }) => played(steps).flatMap(answersOf)),
        );
        const received = new Map<unknown, string[]>();
        session.onUpdate(async (update, { turn }) => {
          await pause();
          received.set(turn, [...(received.get(turn) ?? []), wordOf(update)]);
          if (wordOf(update) === `agent_message_chunk ${CANCEL_ME}`) turn?.cancel();
        });
        const running: Promise<Transcript>[] = [];
        for (const [t] of turns.entries()) {
          const turn = session.prompt(String(t));
          const transcript = turn.result
            .then(
              ({ stopReason }) => stopReason,
              (error: unknown) => (isRpcError(error) ? String(error.code) : `${error}`),
            )
            .then((end) => ({ updates: received.get(turn) ?? [], end }));
          running.push(transcript);
          if (!circumstances.eager) await transcript;
        }
        return Promise.all(running);
      }),
    );
  } finally {
    await client.close();
    await joined.agentClosed;
    expectOneAnswerEach(wire);
  }
}

/** Returns the steps before the turn is cancelled. */
function played(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex((step) => step.do === "be cancelled");
  return end < 0 ? steps : steps.slice(0, end);
}

function answersOf(step: Step): RuleDecision[] {
  return step.do === "tool" && step.answer !== "unasked" ? [step.answer] : [];
}

function pauses(turns: readonly number[]): () => Promise<void> {
  let calls = 0;
  return async () => {
    const count = turns[calls % turns.length] ?? 0;
    calls += 1;
    for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
}

/** The client's end of a connection with an agent. */
interface Joined extends AsyncDisposable {
  readonly transport: Transport;
  readonly agentClosed: Promise<unknown>;
}

async function join(agent: Agent, circumstances: Circumstances): Promise<Joined> {
  const { how, there, back } = circumstances;
  if (!isProfile(how)) {
    const [agentSide, clientSide] = pair({ how, there, back });
    const { closed } = agent.connect(agentSide);
    return { transport: clientSide, agentClosed: closed, [Symbol.asyncDispose]: async () => {} };
  }
  let close = (_reason: unknown): void => {};
  const agentClosed = new Promise((resolve) => {
    close = resolve;
  });
  const served: ServedAgent = {
    connect(transport) {
      const connection = agent.connect(transport);
      void connection.closed.then(close);
      return connection;
    },
  };
  const remote = await openRemote(how, served, { toServer: mangled(there), toClient: mangled(back) });
  return { transport: remote.transport, agentClosed, [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose]() };
}

type InProcess = Pick<Circumstances, "there" | "back"> & { readonly how: (typeof local)[number] };

function pair({ how, there, back }: InProcess): [Transport, Transport] {
  if (how === "linked transports" || how === "web streams") {
    const [a, b] = linkedTransports();
    return how === "web streams" ? [throughStreams(a), throughStreams(b)] : [a, b];
  }
  const toAgent = mangledPipe(there);
  const toClient = mangledPipe(back);
  if (how === "node streams") {
    return [nodeTransport(toAgent.readable, toClient.writable), nodeTransport(toClient.readable, toAgent.writable)];
  }
  const web = (readable: Readable, writable: Writable): Transport =>
    byteTransport({
      readable: Readable.toWeb(readable) as ReadableStream<Uint8Array>,
      writable: Writable.toWeb(writable) as WritableStream<Uint8Array>,
    });
  return [web(toAgent.readable, toClient.writable), web(toClient.readable, toAgent.writable)];
}

function expectOneAnswerEach(wire: Wire): void {
  for (const from of ["client", "agent"] as const) {
    const requests = wire.items.filter(
      (message) => message.from === from && message.method !== undefined && message.id !== undefined,
    );
    const answers = wire.items.filter((message) => message.from !== from && isResponse(message));
    expect(answers.map(({ id }) => id).sort()).toEqual(requests.map(({ id }) => id).sort());
  }
}
