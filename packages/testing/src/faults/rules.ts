import { createRandom, type Random } from "../random.js";
import type { Side } from "../wire-message.js";
import type { Amount, Fault, FaultPlan } from "./fault-plan.js";
import type { Passing, Traffic } from "./traffic.js";

/** A fault that applies to a message, and the random generator of the fault. */
export interface Met {
  readonly fault: Fault;
  readonly rule: number;
  readonly random: Random;
}

interface Counts {
  fits: number;
  used: number;
}

/**
 * Applies a plan of faults: decides which faults apply to which message. Each fault has a separate random generator
 * for each direction, so that the order between messages of the two directions makes no difference to the random
 * numbers.
 */
export class Rules {
  readonly #plan: FaultPlan;
  readonly #traffic: Traffic;
  readonly #able: (fault: Fault, from: Side) => boolean;
  readonly #random: Record<Side, readonly Random[]>;
  readonly #counts: readonly Counts[];

  /** @param able whether a fault can be injected into a direction of this transport. */
  constructor(plan: FaultPlan, seed: number | string, traffic: Traffic, able: (fault: Fault, from: Side) => boolean) {
    this.#plan = plan;
    this.#traffic = traffic;
    this.#able = able;
    const random = (side: Side): Random[] => plan.map((_, rule) => createRandom(`${seed}/${rule}/${side}`));
    this.#random = { agent: random("agent"), client: random("client") };
    this.#counts = plan.map(() => ({ fits: 0, used: 0 }));
  }

  /** Returns the faults for a message that occupies the bytes from `start` to `end` of its sender's output. */
  meeting(passing: Passing, start: number, end: number): Met[] {
    return this.#plan.flatMap((fault, rule) => {
      const random = this.#random[passing.from][rule] as Random;
      const counts = this.#counts[rule] as Counts;
      if (!this.#fits(fault, passing, start, end)) return [];
      counts.fits += 1;
      const { at, chance = 1, times = Number.POSITIVE_INFINITY } = fault;
      // Draws a number for every match, so that one decision doesn't change later decisions.
      const lucky = random.next() < chance;
      if (!lucky || counts.used >= times || (at !== undefined && ![at].flat().includes(counts.fits))) return [];
      counts.used += 1;
      return [{ fault, rule, random }];
    });
  }

  #fits(fault: Fault, { from, kind, method, sessionId, update }: Passing, start: number, end: number): boolean {
    if (fault.from !== undefined && fault.from !== from) return false;
    if (fault.kind !== undefined && fault.kind !== kind) return false;
    if (fault.method !== undefined && !(method !== undefined && [fault.method].flat().includes(method))) return false;
    if (fault.update !== undefined && !(update !== undefined && [fault.update].flat().includes(update))) return false;
    if (!this.#able(fault, from)) return false;
    switch (fault.fault) {
      case "unanswered":
        return kind === "response";
      case "late":
        return method === "session/update" && update !== "state_update" && this.#traffic.isPrompted(sessionId);
      case "early":
        return kind === "response" && sessionId !== undefined && openers.includes(method ?? "");
      case "mistype":
        return kind !== undefined;
      case "cut":
        return fault.atByte === undefined || (start <= fault.atByte && fault.atByte < end);
      default:
        return true;
    }
  }
}

/** The methods whose response contains a session id. */
const openers: readonly string[] = ["session/new", "session/load", "session/resume"];

/** Returns an amount, or a random number from its range. */
export function amountOf(amount: Amount, random: Random): number {
  return typeof amount === "number" ? amount : random.integer(amount[0], amount[1]);
}
