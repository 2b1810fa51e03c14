import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bridged, text, turn, v1ClientV2Agent, v2ClientV1Agent } from "../../test/bridged.js";
import { type Json, sendUpdate, updatesOf } from "../../test/peers.js";

// Random conversations of one session. In the end, the agent answers every prompt and ends its work.

const steps = [
  "prompt",
  "prompt",
  "take",
  "take",
  "chunk",
  "chunk",
  "call",
  "state",
  "end",
  "end",
  "cancel",
  "withdraw",
] as const;
type Step = (typeof steps)[number];

const conversations = fc.array(fc.constantFrom<Step>(...steps), { minLength: 1, maxLength: 40 });

/** What both kinds of conversation have: a client that prompts and cancels, and an agent that writes numbered words. */
class Conversation {
  readonly pair: Bridged;
  readonly prompts: unknown[] = [];
  #words = 0;

  constructor(pair: Bridged) {
    this.pair = pair;
  }

  prompt(): void {
    const prompt = [text(`prompt ${this.prompts.length}`)];
    this.prompts.push(this.pair.client.request("session/prompt", { sessionId: "s", prompt }).id);
  }

  cancel(): void {
    this.pair.client.notify("session/cancel", { sessionId: "s" });
  }

  /** Cancels the request of the last prompt without a response. */
  withdraw(): void {
    const open = this.prompts.filter((id) => this.pair.client.responseTo(id as never) === undefined);
    if (open.length > 0) this.pair.client.notify("$/cancel_request", { requestId: open.at(-1) });
  }

  chunk(messageId?: string): void {
    this.#words += 1;
    const content = text(`${this.#words} `);
    sendUpdate(this.pair.agent, { sessionUpdate: "agent_message_chunk", messageId, content });
  }

  /** The prompts that the agent has and has not answered. */
  get waiting(): { readonly id: number; readonly text: string }[] {
    const { agent } = this.pair;
    return agent
      .receivedSoFar("session/prompt")
      .filter(({ id }) => !this.answered.has(id))
      .map(({ id, params }) => ({ id: id as number, text: (params as { prompt: [{ text: string }] }).prompt[0].text }));
  }

  readonly answered = new Set<unknown>();

  isWithdrawn(id: unknown): boolean {
    const cancels = this.pair.agent.receivedSoFar("$/cancel_request") as { params?: Json }[];
    return cancels.some(({ params }) => params?.requestId === id);
  }

  /** The number of cancels of the session that the agent has received. */
  get cancels(): number {
    return this.pair.agent.receivedSoFar("session/cancel").length;
  }

  /** Every prompt has one response, every word arrived once and in order, and each kind of loss was reported once. */
  check(): void {
    const { client } = this.pair;
    for (const id of this.prompts)
      expect(client.receivedSoFar().filter((message) => !("method" in message) && message.id === id)).toHaveLength(1);
    const words = updatesOf(client)
      .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      .map(({ content }) => (content as { text: string }).text);
    expect(words).toEqual(Array.from({ length: this.#words }, (_, index) => `${index + 1} `));
    expect(new Set(this.pair.lost()).size).toBe(this.pair.lost().length);
  }
}

describe("any conversation of", () => {
  it("V2-REQ-29: a client of version 1 and an agent of version 2: one end for each prompt, that of its work", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (taken) => {
        const pair = await v1ClientV2Agent();
        const talk = new Conversation(pair);
        const { agent, client } = pair;
        const work = { isBusy: false, begun: 0, cancels: 0 };
        /** The works of the prompts that were inserted, by text. */
        const workOf = new Map<string, number>();
        const ends: string[] = [];
        const state = (name: string, more: object = {}): void =>
          sendUpdate(agent, { sessionUpdate: "state_update", state: name, ...more });
        const take = (): void => {
          const [next] = talk.waiting;
          if (next === undefined) return;
          talk.answered.add(next.id);
          if (talk.isWithdrawn(next.id)) {
            agent.refuse(next.id as never, -32800);
            return;
          }
          const messageId = `user ${next.id}`;
          sendUpdate(agent, { sessionUpdate: "user_message", messageId, content: [text(next.text)] });
          if (!work.isBusy) {
            Object.assign(work, { isBusy: true, begun: work.begun + 1, cancels: talk.cancels });
            state("running");
          }
          workOf.set(next.text, work.begun);
          agent.respond(next.id, { messageId });
        };
        const end = (): void => {
          if (!work.isBusy) return;
          work.isBusy = false;
          const stopReason = talk.cancels > work.cancels ? "cancelled" : "end_turn";
          ends[work.begun] = stopReason;
          state("idle", { stopReason });
        };
        const acts: Record<Step, () => void> = {
          prompt: () => talk.prompt(),
          cancel: () => talk.cancel(),
          withdraw: () => talk.withdraw(),
          chunk: () => talk.chunk(`message ${work.begun}`),
          call: () => sendUpdate(agent, { sessionUpdate: "tool_call_update", toolCallId: "t", status: "paused" }),
          state: () => work.isBusy && state("requires_action"),
          take,
          end,
        };
        for (const step of taken) {
          acts[step]();
          await turn();
        }
        while (talk.waiting.length > 0 || work.isBusy) {
          take();
          await turn();
          end();
          await turn();
        }
        talk.check();
        for (const [index, id] of talk.prompts.entries()) {
          const inserted = workOf.get(`prompt ${index}`);
          const stopReason = inserted === undefined ? "cancelled" : ends[inserted];
          expect(client.responseTo(id as never)?.result).toEqual({ stopReason });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("V2-REQ-29: a client of version 2 and an agent of version 1: one response for each prompt, and one end for each work", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (taken) => {
        const pair = await v2ClientV1Agent();
        const talk = new Conversation(pair);
        const { agent, client } = pair;
        const seen = { cancels: 0 };
        const end = (): void => {
          const [current, ...more] = talk.waiting;
          expect(more).toEqual([]); // an agent of version 1 gets one prompt at a time
          if (current === undefined) return;
          talk.answered.add(current.id);
          agent.respond(current.id, { stopReason: talk.cancels > seen.cancels ? "cancelled" : "end_turn" });
          seen.cancels = talk.cancels;
        };
        const acts: Record<Step, () => void> = {
          prompt: () => talk.prompt(),
          cancel: () => talk.cancel(),
          withdraw: () => talk.withdraw(),
          chunk: () => talk.chunk(),
          call: () => sendUpdate(agent, { sessionUpdate: "tool_call", toolCallId: "t", title: "T" }),
          state: () => {},
          take: () => {},
          end,
        };
        for (const step of taken) {
          acts[step]();
          await turn();
        }
        while (talk.waiting.length > 0) {
          end();
          await turn();
        }
        talk.check();
        const updates = updatesOf(client);
        const states = updates.filter(({ sessionUpdate }) => sessionUpdate === "state_update");
        expect(states.map(({ state }) => state)).toEqual(states.map((_, index) => ["running", "idle"][index % 2]));
        expect(states.length % 2).toBe(0);
        // Prompts that were accepted are in the conversation, in their order; the others were cancelled
        const inserted = updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message");
        const accepted = talk.prompts.flatMap((id, index) => {
          const { result, error } = client.responseTo(id as never) ?? {};
          if (error !== undefined) expect(error.code).toBe(-32800);
          return error === undefined ? [[(result as Json).messageId, [text(`prompt ${index}`)]]] : [];
        });
        expect(inserted.map(({ messageId, content }) => [messageId, content])).toEqual(accepted);
      }),
      { numRuns: 300 },
    );
  });
});
