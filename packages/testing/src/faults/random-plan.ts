import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { createRandom, type Random } from "../random.js";
import type { Fault, FaultAction, FaultPlan } from "./fault-plan.js";

/** The names of all kinds of faults. */
export const faultNames: readonly Fault["fault"][] = [
  "drop",
  "delay",
  "duplicate",
  "reorder",
  "late",
  "early",
  "unanswered",
  "silence",
  "mistype",
  "garbage",
  "banner",
  "huge",
  "split",
  "merge",
  "slow",
  "cut",
  "half-close",
  "die",
];

/** Options of {@link randomPlan}. */
export interface RandomPlanOptions {
  /** The kinds of faults that the plan may contain; by default all {@link faultNames}. */
  readonly faults?: readonly Fault["fault"][];
  /** The maximum number of faults in the plan. The default is 4. */
  readonly max?: number;
}

/**
 * Creates a plan of faults from a seed: one to `max` faults, each at a random message or with a random probability. The
 * same seed and options create the same plan.
 */
export function randomPlan(seed: number | string, options: RandomPlanOptions = {}): FaultPlan {
  checkOptions("randomPlan", options, optionKinds);
  const { faults = faultNames, max = 4 } = options;
  const random = createRandom(`plan/${seed}`);
  return Array.from({ length: random.integer(1, max) }, () => randomFault(random.pick(faults), random));
}

const optionKinds: OptionKinds<RandomPlanOptions> = { faults: "value", max: "value" };

/** Faults that end a direction or the connection happen once, most others up to five times. */
const deadly: readonly Fault["fault"][] = ["silence", "cut", "half-close", "die"];

function randomFault(name: Fault["fault"], random: Random): Fault {
  const from = random.pick(["agent", "client"] as const);
  const action = randomAction(name, random);
  if (deadly.includes(name)) return { ...action, from, at: random.integer(1, 12) };
  if (name === "banner") return { ...action, from: "agent", at: 1 };
  return { ...action, from, chance: random.pick([0.05, 0.2, 0.5, 1]), times: random.integer(1, 5) };
}

function randomAction(name: Fault["fault"], random: Random): FaultAction {
  switch (name) {
    case "delay":
    case "slow":
      return { fault: name, ms: [0, random.integer(1, 2_000)] };
    case "huge":
      return { fault: name, bytes: random.integer(1, 200_000) };
    case "mistype":
      return { fault: name, anywhere: random.next() < 0.5 };
    case "reorder":
      return { fault: name, by: random.integer(1, 3) };
    case "merge":
      return { fault: name, messages: random.integer(2, 5) };
    case "die":
      return { fault: name, how: random.pick(["ends", "breaks"]) };
    default:
      return { fault: name };
  }
}
