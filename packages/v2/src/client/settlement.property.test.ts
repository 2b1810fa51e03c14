import type { LiveTurn, VersionState, VersionTurns } from "@acp-kit/client/internal";
import * as fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { ClientSession } from "./client-session.js";

// A model of an agent: it works in periods, and inserts prompts before or in a period. Its messages about a prompt come
// in any order that the schema allows. The end of a prompt is the end of the period in which it was inserted.

interface Period {
  /** The numbers of prompts that are inserted before and in the period. */
  readonly before: number;
  readonly inside: number;
  /** The number of further states in the period, and of further `idle` states after it. */
  readonly repeats: number;
}

type Event =
  | { readonly prompt: number; readonly what: "message" | "response" }
  | { readonly state: string; readonly stopReason?: string };

interface Run {
  readonly events: readonly Event[];
  /** The stop reason of each prompt. */
  readonly ends: readonly string[];
}

/**
 * Delays below 0: the response comes right before the user message, and below -1 before the period whose first state
 * precedes the user message. Others: so many events after it.
 */
function runOf(periods: readonly Period[], delays: readonly number[]): Run {
  const events: Event[] = [];
  const ends: string[] = [];
  const delayOf = (prompt: number): number => delays[prompt % delays.length] ?? 0;
  const insert = (count: number, end: string, begin: Event[] = []): void => {
    const messages: Event[] = [];
    for (let each = 0; each < count; each += 1) {
      const prompt = ends.push(end) - 1;
      if (delayOf(prompt) < 0) events.push({ prompt, what: "response" });
      (delayOf(prompt) < -1 ? messages : events).push({ prompt, what: "message" });
    }
    events.push(...begin, ...messages);
  };
  for (const [index, { before, inside, repeats }] of periods.entries()) {
    const stopReason = `_end${index}`;
    insert(before, stopReason, [{ state: "running" }]);
    for (let each = 0; each < repeats; each += 1) events.push({ state: each % 2 === 0 ? "requires_action" : "_busy" });
    insert(inside, stopReason);
    events.push({ state: "idle", stopReason });
    for (let each = 0; each < repeats; each += 1) events.push({ state: "idle", stopReason });
  }
  for (const prompt of ends.keys()) {
    if (events.some((event) => "prompt" in event && event.prompt === prompt && event.what === "response")) continue;
    const delay = Math.max(0, delays[prompt % delays.length] ?? 0);
    const at = events.findIndex((event) => "prompt" in event && event.prompt === prompt);
    events.splice(Math.min(events.length, at + 1 + delay), 0, { prompt, what: "response" });
  }
  return { events, ends };
}

const runs = fc
  .tuple(
    fc.array(fc.record({ before: fc.nat(2), inside: fc.nat(2), repeats: fc.nat(2) }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.integer({ min: -2, max: 12 }), { minLength: 1, maxLength: 5 }),
  )
  .map(([periods, delays]) => runOf(periods, delays));

/** A session whose prompts get their responses from the test. */
function session() {
  const responses: ((result: object) => void)[] = [];
  const request = (_method: string, _params: unknown, options: { onResult(result: object): void }): Promise<never> => {
    responses.push(options.onResult);
    return new Promise(() => {});
  };
  const state = {
    sessionId: "s",
    peer: { connection: { state: "open" }, request, report: () => {}, notify: () => undefined },
    transcript: { apply: () => {} },
    cancelRequests: () => {},
  } as unknown as VersionState;
  const turns = {
    background: { snapshot: undefined, set: () => {} },
    move: () => true,
    begin: () => {},
    logPrompt: () => {},
    refresh: () => {},
    endJoined: () => {},
  } as unknown as VersionTurns;
  const client = new ClientSession(state, turns, new Set());
  /** Sends a prompt. The functions are called when the agent has inserted it, and when it has its end. */
  const send = (text: string, onInserted: (id: unknown) => void, onSettled: () => void) => {
    const clock = { start: () => {}, startCancelTimeout: () => {} };
    const turn = { phase: "sending", prompt: [], clock, onInserted, sent: undefined } as unknown as LiveTurn;
    const params = { sessionId: "s", prompt: [{ type: "text" as const, text }] };
    const response = client.prompt(turn, { params, signal: new AbortController().signal, onSettled });
    return { turn, response };
  };
  return { client, responses, send };
}

it("versions.one-end: V2-REQ-06: every turn settles exactly once, with the end of its work, in the order of the model", async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.boolean(), async ({ events, ends }, isSame) => {
      const { client, responses, send } = session();
      const settled: number[] = ends.map(() => 0);
      const inserted: unknown[] = ends.map(() => undefined);
      // Prompts with equal texts are the same before their responses, so only their ends are compared.
      const textOf = (index: number): string => (isSame ? "same" : `prompt ${index}`);
      const sent = ends.map((_, index) =>
        send(
          textOf(index),
          (messageId) => {
            inserted[index] = messageId;
          },
          () => {
            settled[index] = (settled[index] ?? 0) + 1;
          },
        ),
      );
      const begun = { count: 0, isBusy: false };
      for (const event of events) {
        if ("state" in event) {
          client.receive({ sessionUpdate: "state_update", ...event }, 0, () => undefined);
          begun.isBusy = event.state !== "idle";
        } else if (event.what === "response") responses[event.prompt]?.({ messageId: `m${event.prompt}` });
        else {
          const content = [{ type: "text", text: textOf(event.prompt) }];
          const update = { sessionUpdate: "user_message", messageId: `m${event.prompt}`, content };
          client.receive(update, 0, () => undefined);
        }
        expect(client.isWorking).toBe(begun.isBusy);
      }
      expect(settled).toEqual(ends.map(() => 1));
      expect(await Promise.all(sent.map(({ response }) => response))).toEqual(
        ends.map((stopReason) => ({ stopReason })),
      );
      if (!isSame) expect(inserted).toEqual(ends.map((_, index) => `m${index}`));
    }),
    { numRuns: 2_000 },
  );
});

it("V2-REQ-06: an agent that reports no user messages and responds after the end settles every turn with its work", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), async (pauses) => {
      const { client, responses, send } = session();
      const sent = pauses.map((_, index) =>
        send(
          `prompt ${index}`,
          () => {},
          () => {},
        ),
      );
      for (const [index, isPause] of pauses.entries()) {
        client.receive({ sessionUpdate: "state_update", state: "running" }, 0, () => undefined);
        client.receive(
          { sessionUpdate: "state_update", state: "idle", stopReason: `_end${index}` },
          0,
          () => undefined,
        );
        responses[index]?.({ messageId: `m${index}` });
        if (isPause) vi.advanceTimersByTime(100);
      }
      vi.advanceTimersByTime(100);
      expect(await Promise.all(sent.map(({ response }) => response))).toEqual(
        pauses.map((_, index) => ({ stopReason: `_end${index}` })),
      );
    }),
  );
});

it("V2-REQ-06: any messages of any agent settle each turn at most once, and the end of the connection settles the others", async () => {
  const event = fc.oneof(
    fc.record({
      sessionUpdate: fc.constant("state_update"),
      state: fc.constantFrom("running", "idle", "requires_action", "odd"),
      stopReason: fc.constantFrom(undefined, null, "end_turn", "error", 5),
    }),
    fc.record({
      sessionUpdate: fc.constant("user_message"),
      messageId: fc.constantFrom("a", "b", "c"),
      content: fc.constantFrom(undefined, null, [], [{ type: "text", text: "1" }]),
    }),
    fc.record({ response: fc.nat(2), messageId: fc.constantFrom("a", "b", "c", undefined, 7) }),
    fc.record({ withdraw: fc.nat(2) }),
    fc.constant({ cancel: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const { client, responses, send } = session();
      const settled = [0, 0, 0];
      const responded = new Set<number>();
      const sent = settled.map((_, index) =>
        send(
          String(index),
          () => {},
          () => {
            settled[index] = (settled[index] ?? 0) + 1;
          },
        ),
      );
      const outcomes = Promise.allSettled(sent.map(({ response }) => response));
      for (const each of events) {
        if ("sessionUpdate" in each) client.receive(each, 0, () => undefined);
        else if ("withdraw" in each) sent[each.withdraw]?.turn.sent?.withdraw();
        else if ("cancel" in each) client.cancel();
        else if (!responded.has(each.response)) {
          responded.add(each.response);
          responses[each.response]?.({ messageId: each.messageId });
        }
      }
      expect(Math.max(...settled)).toBeLessThanOrEqual(1);
      for (const [index, count] of settled.entries()) if (count > 0) expect(responded.has(index)).toBe(true);
      client.lost(Object.assign(new Error("gone"), { code: "closed" }) as never);
      expect(settled).toEqual([1, 1, 1]);
      expect(await outcomes).toHaveLength(3);
      expect(client.owner).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});
