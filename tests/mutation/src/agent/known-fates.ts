import type { Known } from "../score.js";

const as = (rules: string, because: string): Known => ({
  fate: "named as another",
  because: `${because}: named under ${rules}.`,
});

/** The rules whose mutants no finding names, each with the reason. */
export const knownFates: Readonly<Record<string, Known>> = {
  "INIT-10": {
    fate: "survived",
    because:
      "Version 2 has no method of clients that version 1 lacks. A method of no version at all is RPC-20, which is advice: the pages only show it.",
  },
  "INIT-12": as("CAP-13 to CAP-21", "What is used without its capability has a rule for each capability"),
  "AUTH-03": as("CAP-19", "The same in the words of another page"),
  "SESS-08": as("SESS-09", "From outside, a cwd shows only as the base of relative paths"),
  "CFG-12": as("CAP-18", "The same in the words of another page"),
  "NOTICE-01": as("CAP-20", "The same in the words of another page"),
  "COMPACT-01": as("CAP-21", "The same in the words of another page"),
  "FS-01": as("CAP-13 and CAP-14", "A look at the capabilities shows only in what is called without them"),
  "FS-02": as("CAP-13 and CAP-14", "The same in the words of another page"),
  "TERM-01": as("CAP-15", "A look at the capabilities shows only in what is called without them"),
  "ELICIT-01": as("CAP-16 and CAP-17", "The same in the words of another page"),
  "ELICIT-26": as("ELICIT-25", "A secret outside of a page shows only as a secret in a form"),
};
