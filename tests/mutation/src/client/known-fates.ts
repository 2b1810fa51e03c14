import type { Known } from "../score.js";

const lenient = (what: string): Known => ({
  fate: "survived",
  because: `The duty is the sender's, which here is the kit. A client that accepts ${what} is named under WIRE-04, as advice.`,
});

/** The rules whose mutants no finding names, each with the reason. */
export const knownFates: Readonly<Record<string, Known>> = {
  "ELICIT-31": {
    fate: "named as another",
    because: "An id that a client reads as more than it is shows only in what the client does with it: ELICIT-34.",
  },
  "FS-03": lenient("a relative path"),
  "FS-11": lenient("a request without a session"),
  "TERM-03": lenient("malformed params"),
};
