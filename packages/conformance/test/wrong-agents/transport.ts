import { adds, isUpdate, type Mutant, once, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const transportWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "transport/fragments", mutation: { receive: (message) => message.id === "many-19" } },
  { fails: "transport/blank-lines", mutation: { receive: (message) => message.id === "crlf" } },
  { fails: "transport/big-message", mutation: { receive: (message) => message.id === "big" } },
  { fails: "transport/end-of-input", mutation: { immortal: true } },
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
  {
    fails: "watch/only-messages-on-stdout",
    mutation: once(
      adds(
        (message) => message.result?.agentInfo,
        () => ["Ready."],
      ),
    ),
  },
  { fails: "watch/one-line-per-message", mutation: adds(isUpdate("plan"), () => ["{", "}"]) },
  { fails: "watch/utf-8", mutation: adds(isUpdate("plan"), () => ["\u0000"]), also: ["watch/json-rpc-2.0"] },
];
