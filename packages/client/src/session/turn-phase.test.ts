import fc from "fast-check";
import { expect, test } from "vitest";
import { canFollow, isActive, type TurnPhase } from "./turn-phase.js";

const phases: readonly TurnPhase[] = [
  "queued",
  "preparing",
  "sending",
  "withdrawn",
  "running",
  "cancelling",
  "responded",
  "ended",
];

/** Returns the phases through which a turn passes if it tries to change to each of these phases, in order. */
function path(first: TurnPhase, tries: readonly TurnPhase[]): TurnPhase[] {
  const passed = [first];
  for (const to of tries) if (canFollow(passed.at(-1) as TurnPhase, to)) passed.push(to);
  return passed;
}

test("in any order of events, a prompt is sent once between two preparations and never runs again after its response", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...phases)), (tries) => {
      const passed = path("queued", tries).join(" ");
      expect(passed).toMatch(/^queued( preparing.*)?( ended)?$/);
      for (const one of passed.split("preparing").slice(1))
        expect(one.trim()).toMatch(
          /^(sending( withdrawn( cancelling)?| running( cancelling)?)?( responded)?)?( ?ended)?$/,
        );
    }),
  );
});

test("in any order of events, a turn that this client did not start is never sent, and ends once", () => {
  const withoutLogin = phases.filter((phase) => phase !== "preparing");
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...withoutLogin)), (tries) => {
      expect(path("running", tries).join(" ")).toMatch(/^running( cancelling)?( responded( ended)?)?$/);
    }),
  );
});

test("updates belong to a turn from the moment its prompt is sent until its end arrives", () => {
  expect(phases.filter(isActive)).toEqual(["sending", "withdrawn", "running", "cancelling"]);
});
