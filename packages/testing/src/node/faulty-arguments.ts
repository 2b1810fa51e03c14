import { existsSync, readFileSync } from "node:fs";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { checkPlan } from "../faults/check-plan.js";
import type { FaultPlan } from "../faults/fault-plan.js";
import { faultNames, randomPlan } from "../faults/random-plan.js";
import { program } from "./run-script.js";

/** Options of {@link faultyCommand}: the command that `acp-faulty` wraps, and the faults. */
export interface FaultyProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** The plan of faults; by default the {@link randomPlan} of the seed. */
  readonly plan?: FaultPlan;
  /** The seed of all random choices; the default is 1. */
  readonly seed?: number | string;
  /** A file to which each fault is appended as a JSON line when it happens. */
  readonly report?: string | undefined;
}

const usage = `Usage: acp-faulty [--seed SEED] [--plan JSON-OR-FILE] [--report FILE] -- COMMAND [ARGUMENT…]

Starts an agent and injects faults between it and its client. Each fault is reported on standard error.
Without a plan, the seed creates one. The same seed and plan produce the same faults.
Faults: ${faultNames.join(", ")}.
`;

/** Returns a command that runs another with faults, for `spawnAgent` or any client that takes a command. */
export function faultyCommand(options: FaultyProcessOptions): {
  readonly command: string;
  readonly args: readonly string[];
} {
  checkOptions("faultyCommand", options, faultyProcessKinds);
  return { command: process.execPath, args: [program("acp-faulty"), ...faultyArguments(options)] };
}

/** Builds the arguments of `acp-faulty`. */
export function faultyArguments(options: FaultyProcessOptions): string[] {
  checkOptions("faultyArguments", options, faultyProcessKinds);
  const { command, args = [], plan, seed, report } = options;
  return [
    ...(seed === undefined ? [] : ["--seed", String(seed)]),
    ...(plan === undefined ? [] : ["--plan", JSON.stringify(plan)]),
    ...(report === undefined ? [] : ["--report", report]),
    "--",
    command,
    ...args,
  ];
}

/** The kinds of the options, for their check. */
export const faultyProcessKinds: OptionKinds<FaultyProcessOptions> = {
  command: "value!",
  args: "value",
  plan: "value",
  seed: "value",
  report: "value",
};

/** Parses the arguments of `acp-faulty`; returns an error message for invalid ones. */
export function readFaultyArguments(
  args: readonly string[],
):
  | (Required<Omit<FaultyProcessOptions, "report">> & { readonly report: string | undefined })
  | { readonly problem: string } {
  const end = args.indexOf("--");
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  if (command === undefined) return { problem: usage };
  const options = new Map<string, string>();
  const given = args.slice(0, end);
  for (let n = 0; n < given.length; n += 2) {
    const [name = "", value] = [given[n], given[n + 1]];
    if (!["--seed", "--plan", "--report"].includes(name) || value === undefined) {
      return { problem: `acp-faulty doesn't understand "${name}".\n\n${usage}` };
    }
    options.set(name, value);
  }
  const seed = options.get("--seed") ?? "1";
  const plan = readPlan(options.get("--plan"), seed);
  if (typeof plan === "string") return { problem: `${plan}.\n\n${usage}` };
  return { command, args: rest, seed, plan, report: options.get("--report") };
}

/** Returns the plan in a JSON text or in a JSON file, or a sentence without its period that says why it is no plan. */
function readPlan(given: string | undefined, seed: string): FaultPlan | string {
  if (given === undefined) return randomPlan(seed);
  try {
    const text = !given.trimStart().startsWith("[") && existsSync(given) ? readFileSync(given, "utf8") : given;
    const plan: unknown = JSON.parse(text);
    checkPlan(plan);
    return plan;
  } catch (error) {
    return error instanceof TypeError ? error.message : "The plan is neither JSON nor the path of a JSON file";
  }
}
