import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type WorkEnd, WorkPeriods } from "./work-periods.js";

/** What an agent does, in its own order: it works in periods, and inserts prompts before or in a period. */
interface Script {
  readonly periods: readonly { readonly before: number; readonly inside: number; readonly repeats: number }[];
}

const scripts: fc.Arbitrary<Script> = fc.record({
  periods: fc.array(fc.record({ before: fc.nat(2), inside: fc.nat(2), repeats: fc.nat(2) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

type Event =
  | { readonly prompt: number; readonly what: "message" | "response" }
  | { readonly state: string; readonly end?: string };

/**
 * The messages of a script. Each prompt has a user message when it is inserted, and the response up to `delays` events
 * before or after it, so the two have any order, also around the states.
 */
function eventsOf({ periods }: Script, delays: readonly number[]): { events: Event[]; ends: string[] } {
  const events: Event[] = [];
  const ends: string[] = [];
  let prompts = 0;
  for (const [index, { before, inside, repeats }] of periods.entries()) {
    const insert = (count: number): void => {
      for (let n = 0; n < count; n += 1) {
        events.push({ prompt: prompts, what: "message" });
        ends.push(`end ${index}`);
        prompts += 1;
      }
    };
    insert(before);
    events.push({ state: "running" });
    for (let n = 0; n < repeats; n += 1) events.push({ state: n % 2 === 0 ? "requires_action" : "_unknown" });
    insert(inside);
    events.push({ state: "idle", end: `end ${index}` });
    if (repeats > 0) events.push({ state: "idle", end: `end ${index}` });
  }
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    const at = events.findIndex((event) => "prompt" in event && event.prompt === prompt && event.what === "message");
    const delay = delays[prompt % delays.length] ?? 0;
    events.splice(Math.max(at + 1, Math.min(events.length, at + 1 + delay)), 0, { prompt, what: "response" });
  }
  return { events, ends };
}

it("versions.one-end: any order of responses, user messages and states settles every prompt once, with the end of its work", () => {
  fc.assert(
    fc.property(scripts, fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }), (script, delays) => {
      const { events, ends } = eventsOf(script, delays);
      const work = new WorkPeriods();
      const settled: string[][] = ends.map(() => []);
      const prompts = ends.map((_, index) =>
        work.sent({ settle: (end: WorkEnd) => void settled[index]?.push(String(end.stopReason)) }),
      );
      for (const event of events) {
        if ("state" in event) work.state({ state: event.state, ...(event.end && { stopReason: event.end }) } as never);
        else if (event.what === "message") work.userMessage(`m${event.prompt}`);
        else work.inserted(prompts[event.prompt] as never, `m${event.prompt}`);
      }
      expect(settled).toEqual(ends.map((end) => [end]));
    }),
    { numRuns: 2_000 },
  );
});

it("a response before its user message settles with the work that runs, or else begins next", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.nat(3), (isBusy, repeats) => {
      const work = new WorkPeriods();
      const settled: unknown[] = [];
      if (isBusy) work.state({ state: "running" });
      const prompt = work.sent({ settle: ({ stopReason }) => void settled.push(stopReason) });
      work.inserted(prompt, "m");
      for (let n = 0; n <= repeats; n += 1) work.state({ state: "running" });
      work.userMessage("m");
      expect(settled).toEqual([]);
      for (let n = 0; n <= repeats; n += 1) work.state({ state: "idle", stopReason: "refusal" });
      expect(settled).toEqual(["refusal"]);
    }),
  );
});

it("any events of any agent settle each prompt at most once, and never before its response", () => {
  const event = fc.oneof(
    fc.record({
      state: fc.constantFrom("running", "idle", "requires_action", "odd"),
      stopReason: fc.constantFrom(undefined, null, "end_turn", 5),
    }),
    fc.record({ message: fc.constantFrom("a", "b", "c") }),
    fc.record({ response: fc.nat(2), id: fc.constantFrom("a", "b", "c", undefined) }),
    fc.record({ rejected: fc.nat(2) }),
    fc.constant({ cancel: true }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const work = new WorkPeriods();
      const settled = [0, 0, 0];
      const responded = new Set<number>();
      const prompts = settled.map((_, index) =>
        work.sent({
          settle() {
            settled[index] = (settled[index] ?? 0) + 1;
            expect(responded.has(index)).toBe(true);
          },
        }),
      );
      for (const each of events) {
        if ("state" in each) work.state(each as never);
        else if ("message" in each) work.userMessage(each.message);
        else if ("rejected" in each) work.rejected(prompts[each.rejected] as never);
        else if ("response" in each) {
          responded.add(each.response);
          work.inserted(prompts[each.response] as never, each.id);
        } else work.cancelWaiting();
      }
      expect(Math.max(...settled)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 2_000 },
  );
});
