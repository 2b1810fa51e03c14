import { type ClientCheck, callWatch, clientWatch, turnScenario } from "../../client/checks.js";
import { exchangeOf } from "../../client/schema-watch.js";
import { chunk, survivesUpdates, text } from "../../client/survives-updates.js";
import { callOf } from "../../client/wire-event.js";
import { knownMembers } from "../../gen/v1/members.gen.js";
import { isError } from "../../response-matchers.js";
import { unknownExtension } from "../../unknown-extension.js";
import { entryOf, isObject, member, shown } from "../../wire/values.js";

/** The checks of clients: extensibility. */
export const extensibilityClientChecks: readonly ClientCheck[] = [
  turnScenario("messages/unknown-extension", ["EXT-05", "RPC-15"], {
    title: "An unknown extension request gets a response: the error -32601",
    run: async (context, turn) => {
      const sent = "A request for an extension method with a random name";
      const { sessionId } = turn;
      const response = await turn.agent.request(unknownExtension(), { sessionId }, sent, undefined, "EXT-05");
      // A "should" of ACP: a client may have a handler for every extension.
      context.expect("RPC-15", response, isError(-32601), { sent });
    },
  }),
  survivesUpdates("updates/odd-meta", ["EXT-09"], {
    title: "The client ignores a `_meta` that is `null` or not an object",
    after: "`_meta` of `null` and of 5",
    updates: [
      chunk({ ...text("One"), _meta: null }, { _meta: null }),
      chunk({ ...text("Two"), _meta: 5 }, { _meta: 5 }),
    ],
  }),
  clientWatch("payload/no-custom-members", ["EXT-03"], {
    title: "The client adds custom members only in `_meta`",
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
  callWatch("payload/trace-context", ["EXT-02"], {
    title: "The keys `traceparent`, `tracestate` and `baggage` of `_meta` have the meaning of W3C Trace Context",
    judge: ({ params }) => {
      const meta = member(params, "_meta");
      if (!isObject(meta)) return undefined;
      const taken = ["traceparent", "tracestate", "baggage"].filter(
        (key) => Object.hasOwn(meta, key) && typeof meta[key] !== "string",
      );
      const explanation = `W3C Trace Context defines these keys of \`_meta\` as strings: ${taken.join(", ")}.`;
      return taken.length === 0 || { received: shown(meta), explanation };
    },
  }),
];
