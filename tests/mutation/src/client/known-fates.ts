import type { Known } from "../score.js";

const lenient = (what: string): Known => ({
  fate: "survived",
  because: `The duty is the sender's, which here is the kit. A client that accepts ${what} is named under WIRE-04, as advice.`,
});

/** The rules whose mutants no finding names, each with the reason. */
export const knownFates: Readonly<Record<string, Known>> = {
  "INIT-12": {
    fate: "named as another",
    because: "What is used without its capability has a rule for each capability: named under CAP-01 to CAP-12.",
  },
  "SESS-12": same("CAP-01"),
  "LIST-01": same("CAP-02"),
  "DEL-01": same("CAP-03"),
  "SESS-21": same("CAP-04"),
  "SESS-26": same("CAP-05"),
  "AUTH-16": same("CAP-06"),
  "DIR-01": same("CAP-07"),
  "MCP-03": same("CAP-08 and CAP-09"),
  "PROMPT-03": same("CAP-10 to CAP-12"),
  "PERM-06": same("CANCEL-04"),
  "CFG-07": same("CFG-08"),
  "FS-12": same("DIR-13"),
  "ELICIT-31": {
    fate: "named as another",
    because: "An id that a client reads as more than it is shows only in what the client does with it: ELICIT-34.",
  },
  "FS-03": lenient("a relative path"),
  "FS-11": lenient("a request without a session"),
  "TERM-03": lenient("malformed params"),
};

function same(rules: string): Known {
  return { fate: "named as another", because: `The same in the words of another page: named under ${rules}.` };
}
