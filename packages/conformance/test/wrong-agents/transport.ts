import { adds, failing, isUpdate, type Mutant, once, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const transportWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "transport/fragments": { receive: (message) => message.id === "many-19" },
    "transport/blank-lines": { receive: (message) => message.id === "crlf" },
    "transport/big-message": { receive: (message) => message.id === "big" },
    "transport/end-of-input": { immortal: true },
    "watch/only-messages-on-stdout": once(
      adds(
        (message) => message.result?.agentInfo,
        () => ["Ready."],
      ),
    ),
    "watch/one-line-per-message": adds(isUpdate("plan"), () => ["{", "}"]),
  }),
  {
    fails: "transport/text-round-trip",
    also: ["watch/one-line-per-message"],
    mutation: {
      receive: (message, agent) =>
        message.params?.prompt?.[0]?.text?.includes("\u2028")
          ? (agent.raw('{"torn":"'), agent.raw('"}'), false)
          : false,
    },
  },
  { fails: "watch/utf-8", mutation: adds(isUpdate("plan"), () => ["\u0000"]), also: ["watch/json-rpc-2.0"] },
];
