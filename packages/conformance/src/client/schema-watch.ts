import { clientValidators, formatIssue } from "@acp-kit/schema/validate";
import { schemaRemedy } from "../requirements/schema-remedy.js";
import type { Watch } from "../scenario.js";
import { entryOf, shown } from "../wire/values.js";
import { clientWatch } from "./checks.js";
import type { Judgement } from "./watch-dialogue.js";
import { type Call, callOf, keyOf, type WireEvent } from "./wire-event.js";
import type { WireState } from "./wire-state.js";

type Validators = Readonly<Record<string, ((value: unknown) => readonly Issue[]) | undefined>>;

type Issue = Parameters<typeof formatIssue>[0];

/** Returns the rule that an issue at this path breaks, if it is not the first rule of the watch. */
export type RuleAt = (path: Issue["path"], value: unknown) => string | undefined;

/** Returns a request of the agent and its result, for an event that is the client's response to it. */
export function exchangeOf(event: WireEvent, state: WireState): { request: Call; result: unknown } | undefined {
  if (event.kind !== "response" || !("result" in event.message)) return undefined;
  const request = state.openFromAgent.get(keyOf(event.message.id));
  return request && { request, result: event.message.result };
}

/** Validates a value of the client. The first issue breaks `rule`, or the rule of `ruleAt` for its path. */
export function schemaFault(
  rule: string,
  what: string,
  validators: Validators,
  method: string,
  value: unknown,
  ruleAt: RuleAt = () => undefined,
): Judgement {
  const validate = entryOf(validators, method);
  if (!validate) return undefined;
  const [issue] = validate(value);
  if (!issue) return "fine";
  const requirement = ruleAt(issue.path, value) ?? rule;
  return {
    requirement,
    received: `${what} ${shown(value)}`,
    explanation: `The value must match the schema of its method. The validator reports: ${formatIssue(issue)}.`,
    remedy: schemaRemedy(requirement, issue),
  };
}

/** Creates a watch that validates the params of these methods. */
export function schemaWatch(
  name: string,
  verifies: readonly [string, ...string[]],
  methods: readonly string[],
  ruleAt?: RuleAt,
): Watch {
  return clientWatch(`schema/${name}`, verifies, {
    title: `The params of ${methods.map((method) => `\`${method}\``).join(", ")} match the schema`,
    judge(event) {
      const call = callOf(event);
      if (!call || !methods.includes(call.method)) return undefined;
      const { method, params } = call;
      return schemaFault(verifies[0], "The params", clientValidators.params, method, params ?? {}, ruleAt);
    },
  });
}
