import type { FaultPlan, InjectedFault } from "./fault-plan.js";

/** Describes the seed, the plan and every fault. */
export function describeFaults(seed: number | string, plan: FaultPlan, injected: readonly InjectedFault[]): string {
  const count = injected.length === 1 ? "1 fault was" : `${injected.length} faults were`;
  const replay = `seed ${JSON.stringify(seed)}, plan ${JSON.stringify(plan)}`;
  return [`${count} injected (${replay})${injected.length === 0 ? "" : ":"}`, ...injected.map(describeFault)].join(
    "\n",
  );
}

/** Describes one fault: `drop: message 3 of the agent (notification session/update): it is lost`. */
export function describeFault({ fault, from, message, kind, method, detail }: InjectedFault): string {
  const what = [kind, method].filter((word) => word !== undefined).join(" ");
  return `${fault}: message ${message} of the ${from}${what === "" ? "" : ` (${what})`}: ${detail}`;
}
