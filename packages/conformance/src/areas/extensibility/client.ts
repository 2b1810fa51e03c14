import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import { exchangeOf } from "../../client/schema-rule.js";
import { chunk, survivesUpdates, text } from "../../client/survives-updates.js";
import { callOf } from "../../client/wire-event.js";
import { knownMembers } from "../../gen/v1/members.gen.js";
import { isError } from "../../response-matchers.js";
import { unknownExtension } from "../../unknown-extension.js";
import { entryOf, isObject, member, shown } from "../../wire/values.js";

/** The checks of clients: extensibility. */
export const extensibilityClientChecks: readonly ClientCheck[] = [
  clientScenario({
    id: "messages/unknown-extension",
    title: "An unknown extension request gets a response: the error -32601",
    verifies: ["EXT-05", "RPC-15"],
    run: async (context) => {
      const turn = await context.turn();
      const sent = "A request for an extension method with a random name";
      const { sessionId } = turn;
      const response = await turn.agent.request(unknownExtension(), { sessionId }, sent, undefined, "EXT-05");
      // A "should" of ACP: a client may have a handler for every extension.
      context.expect("RPC-15", response, isError(-32601), { sent });
    },
  }),
  survivesUpdates(
    "updates/odd-meta",
    "The client ignores a `_meta` that is `null` or not an object",
    ["EXT-09"],
    "`_meta` of `null` and of 5",
    [chunk({ ...text("One"), _meta: null }, { _meta: null }), chunk({ ...text("Two"), _meta: 5 }, { _meta: 5 })],
  ),
  clientWatch({
    id: "payload/no-custom-members",
    title: "The client adds custom members only in `_meta`",
    verifies: ["EXT-03"],
    judge: (event, state) => {
      const call = callOf(event);
      const exchange = exchangeOf(event, state);
      const value = call ? call.params : exchange?.result;
      const known = call
        ? entryOf(knownMembers.params, call.method)
        : exchange && entryOf(knownMembers.results, exchange.request.method);
      if (!known || !isObject(value)) return undefined;
      const custom = Object.keys(value).filter((key) => key !== "_meta" && !known.includes(key));
      if (custom.length === 0) return "fine";
      return {
        received: shown(value),
        explanation: `The schema does not declare ${custom.map((key) => `\`${key}\``).join(", ")} here.`,
      };
    },
  }),
  clientWatch({
    id: "payload/trace-context",
    title: "The keys `traceparent`, `tracestate` and `baggage` of `_meta` have the meaning of W3C Trace Context",
    verifies: ["EXT-02"],
    judge: (event) => {
      const meta = member(callOf(event)?.params, "_meta");
      if (!isObject(meta)) return undefined;
      const taken = ["traceparent", "tracestate", "baggage"].filter(
        (key) => Object.hasOwn(meta, key) && typeof meta[key] !== "string",
      );
      return taken.length === 0
        ? "fine"
        : {
            received: shown(meta),
            explanation: `W3C Trace Context defines these keys of \`_meta\` as strings: ${taken.join(", ")}.`,
          };
    },
  }),
];
