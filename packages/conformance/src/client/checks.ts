import { heaviestTier } from "../heaviest-tier.js";
import type { Scenario, Watch } from "../scenario.js";
import { shown } from "../wire/values.js";
import type { ClientScenarioContext } from "./client-context.js";
import type { Turn } from "./turn.js";
import { type Fault, type WireRule, watchDialogue } from "./watch-dialogue.js";
import { type Call, callOf } from "./wire-event.js";
import type { WireState } from "./wire-state.js";

/** A scenario that tests clients. */
export type ClientScenario = Scenario<ClientScenarioContext>;

/** A check of clients. */
export type ClientCheck = ClientScenario | Watch;

/** The hand-written part of a scenario for clients. */
type Details = Pick<ClientScenario, "title" | "needs" | "basis" | "run">;

/** Creates a scenario; its tier follows from the rules that it verifies. */
export function clientScenario(id: string, verifies: readonly string[], details: Details): ClientScenario {
  return { kind: "scenario", role: "client", tier: heaviestTier(verifies), id, verifies, ...details };
}

/**
 * Creates a scenario in the client's first turn. Skips it if the client lacks a capability among the scenario's needs.
 */
export function turnScenario(
  id: string,
  verifies: readonly string[],
  { run, ...details }: Omit<Details, "run"> & { run(context: ClientScenarioContext, turn: Turn): Promise<void> },
): ClientScenario {
  const capabilities = (details.needs ?? []).filter((need) => need.startsWith("clientCapabilities."));
  return clientScenario(id, verifies, {
    ...details,
    async run(context) {
      for (const capability of capabilities) context.needsCapability(capability.slice("clientCapabilities.".length));
      await run(context, await context.turn());
    },
  });
}

/** Creates a watch over the messages of clients. */
export function clientWatch(id: string, verifies: readonly string[], details: Omit<WireRule, "verifies">): Watch {
  const rule = { ...details, verifies };
  const { title, unlessUsed } = details;
  return {
    kind: "watch",
    role: "client",
    id,
    title,
    verifies,
    tier: heaviestTier(verifies),
    watch: (dialogue) => watchDialogue(rule, dialogue),
    ...(unlessUsed !== undefined && { unlessUsed }),
  };
}

/**
 * The result of a rule for one call: `undefined` if it does not apply, `true` if the call keeps it. For a call that
 * breaks it, the parts of the finding that are not the usual ones, or `false` if there are none.
 */
type CallJudgement = undefined | boolean | Partial<Fault>;

/** Creates a watch over the client's requests and notifications: those of one method, or all. */
export function callWatch(
  id: string,
  verifies: readonly string[],
  {
    title,
    method,
    judge,
  }: { readonly title: string; readonly method?: string; judge(call: Call, state: WireState): CallJudgement },
): Watch {
  return clientWatch(id, verifies, {
    title,
    judge(event, state) {
      const call = callOf(event);
      if (!call || (method !== undefined && call.method !== method)) return undefined;
      const judgement = judge(call, state);
      if (judgement === undefined) return undefined;
      return judgement === true ? "fine" : { received: shown(call), ...(judgement === false ? {} : judgement) };
    },
  });
}
