import type { AgentContext, TestSession } from "../../agent/agent-context.js";
import type { RecordedResponse } from "../../agent/agent-messages.js";
import { type AgentCheck, sessionScenario } from "../../agent/agent-scenario.js";
import { acceptsDuringTurn } from "../../agent/request-during-turn.js";
import { resultWith, schemaWatch, update } from "../../agent/schema-watch.js";
import { tourStop } from "../../agent/tour-stop.js";
import { isError, isSuccess } from "../../response-matchers.js";
import { type Json, member, objectsIn, shown, textOf } from "../../wire/values.js";

/** The checks of agents: config options. */
export const configOptionsAgentChecks: readonly AgentCheck[] = [
  sessionScenario("options/set", ["CFG-15", "CFG-16"], {
    title: "The result of setting an option has all options and their values",
    needs: ["configOptions in the result of session/new"],
    async run(context: AgentContext, session) {
      const { options, option, value } = selectOf(context, session);
      // After a real change an option may disappear, because options may depend on each other (CFG-16). So this request
      // doesn't change the value.
      const control = await setToItself(context, session, option);
      const kept = new Set(objectsIn(member(control.result, "configOptions")).map(({ id }) => id));
      const dropped = options.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
      if (dropped.length > 0) {
        context.note("CFG-15", {
          sent: `session/set_config_option of ${shown(option.id)} to the value that it has`,
          received: `configOptions without ${shown(dropped)}`,
          explanation: `The session has ${options.length} options; the result contains all of them, with their values.`,
          where: session.peer.at(control.seq),
        });
      }
      const response = await setOption(session, option.id, value);
      const where = session.peer.at(response.seq);
      const sent = `session/set_config_option of ${shown(option.id)} to ${shown(value)}, which is offered`;
      const now = member(response.result, "configOptions");
      if (!Array.isArray(now)) {
        const remedy = "Accept every value that the option lists.";
        context.fail("CFG-15", { sent, received: response, ...(response.error && { remedy }), where });
      }
      const changed = objectsIn(now).find(({ id }) => id === option.id);
      if (changed !== undefined && changed.currentValue !== value) {
        context.fail("CFG-15", {
          sent,
          received: `configOptions ${shown(now)}`,
          remedy: "Apply the new value before you list the options in the response.",
          where,
        });
      }
    },
  }),
  sessionScenario("options/unknown", ["CFG-19", "ERR-05"], {
    title: "An option, or a value, that isn't offered is refused",
    needs: ["configOptions in the result of session/new"],
    async run(context, session) {
      const { option } = selectOf(context, session);
      await setToItself(context, session, option);
      for (const [configId, value] of [
        ["conformance-no-option", "x"],
        [option.id, "conformance-no-value"],
      ]) {
        const sent = `session/set_config_option of ${shown(configId)} to ${shown(value)}`;
        context.expect("CFG-19", await setOption(session, configId, value), isError(-32602), sent);
      }
    },
  }),
  sessionScenario("options/unknown-type", ["CFG-20"], {
    title: "A value with an unknown type is read as a plain value",
    needs: ["configOptions in the result of session/new"],
    async run(context, session) {
      const { option, value } = selectOf(context, session);
      const control = await setOption(session, option.id, value);
      if (control.error) context.inconclusive("the same request fails without a type, too");
      const response = await setOption(session, option.id, value, { type: "select" });
      const sent = `session/set_config_option of ${shown(option.id)} to ${shown(value)}, with the type "select"`;
      context.expect("CFG-20", response, isSuccess, sent);
    },
  }),
  sessionScenario("options/while-a-turn-runs", ["CFG-18"], {
    title: "An option can be changed while a turn runs",
    needs: ["configOptions in the result of session/new", "prompt: long"],
    async run(context, session) {
      const { option } = selectOf(context, session);
      const params = { sessionId: session.id, configId: option.id, value: option.currentValue };
      const control = await session.peer.request("session/set_config_option", params);
      if (control.error) context.inconclusive("the same request fails without a running turn, too");
      await acceptsDuringTurn(context, session, "session/set_config_option", params, "CFG-18");
    },
  }),
  sessionScenario("options/untouched", ["CFG-04"], {
    title: "The agent works when the client never touches its options",
    needs: ["configOptions in the result of session/new", "prompt: text"],
    async run(context, session) {
      const options = objectsIn(session.result.configOptions);
      if (options.length === 0) context.skip("the agent offers no config options");
      const unset = options.find(({ currentValue }) => currentValue === undefined || currentValue === null);
      if (unset) context.fail("CFG-04", { sent: "session/new", received: `the option ${shown(unset)}` });
      await context.turn(session, context.text("text"));
    },
  }),
  tourStop("config", ["CFG-17"], "may change an option by itself", "config_option_update"),
  schemaWatch(
    "config-options",
    ["CFG-02", "CFG-03", "CFG-15"],
    "Config options match the schema",
    (one) => update("config_option_update")(one) || resultWith("configOptions")(one),
  ),
];

function setOption(
  session: TestSession,
  configId: unknown,
  value: unknown,
  more: Json = {},
): Promise<RecordedResponse> {
  return session.peer.request("session/set_config_option", { sessionId: session.id, configId, value, ...more });
}

/** The control of scenarios that set an option: sets it to the value that it has. */
async function setToItself(context: AgentContext, session: TestSession, option: Json): Promise<RecordedResponse> {
  const response = await setOption(session, option.id, option.currentValue);
  if (response.error) context.inconclusive(`setting an option to its own value fails: ${shown(response.error)}`);
  return response;
}

/** Returns the values of a select option, flat or in groups. */
function valuesOf(option: Json): readonly string[] {
  return objectsIn(option.options).flatMap((each) =>
    Array.isArray(each.options)
      ? objectsIn(each.options).flatMap(({ value }) => textOf(value) ?? [])
      : (textOf(each.value) ?? []),
  );
}

function selectOf(
  context: AgentContext,
  session: TestSession,
): { options: readonly Json[]; option: Json; value: string } {
  const options = objectsIn(session.result.configOptions);
  for (const option of options) {
    const value = option.type === "select" ? valuesOf(option).find((each) => each !== option.currentValue) : undefined;
    if (value !== undefined) return { options, option, value };
  }
  return context.skip("the agent offers no config option with two values");
}
