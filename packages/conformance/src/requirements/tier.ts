import type { Requirement } from "./requirement.js";

/**
 * What breaking a rule means.
 *
 * - `mandatory`: the peer isn't conformant;
 * - `capability`: the peer isn't conformant, if it uses that optional part of the protocol;
 * - `advisory`: reported, without weight;
 * - `informational`: what was seen is noted.
 */
export type Tier = "mandatory" | "capability" | "advisory" | "informational";

/** Rules whose tier is not the one that their level gives, with the reason. */
export const tierExceptions: Readonly<Record<string, { readonly tier: Tier; readonly because: string }>> = {
  "INIT-21": { tier: "informational", because: "What a second initialize does is open in version 1." },
  "PROMPT-17": { tier: "informational", because: "What an empty prompt does is open in version 1." },
  "RPC-11": {
    tier: "advisory",
    because: "The envelope's schema allows it, but nothing says that a receiver has to; it is about tolerance.",
  },
  "RPC-13": {
    tier: "informational",
    because:
      "ACP's documents are silent; reference implementations differ, and answering a banner on a pipe helps nobody.",
  },
  "RPC-14": {
    tier: "informational",
    because: "ACP's documents are silent, and reference implementations differ.",
  },
  "RPC-15": {
    tier: "advisory",
    because: "ACP's page on extensibility says “should” of the error code; that an answer comes is RPC-04.",
  },
  "EXT-03": {
    tier: "advisory",
    because:
      "The schema leaves its objects open, so a member that a newer schema declares can't be told from a custom one.",
  },
  "WIRE-04": {
    tier: "advisory",
    because:
      "The schema says so to its decoders alone; no page asks a receiver to refuse a request that its sender got wrong.",
  },
  "FS-06": { tier: "advisory", because: "As WIRE-04; and it was otherwise until late in 2026." },
  "PERM-13": { tier: "advisory", because: "As WIRE-04; and it was otherwise until the middle of 2026." },
  "ELICIT-10": {
    tier: "advisory",
    because:
      "The RFD says it; the schema closes the list of formats, so that an unknown one makes the request malformed.",
  },
  "TRANS-07": {
    tier: "advisory",
    because: "That stderr may be ignored is allowed; that it must be drained is our inference.",
  },
};

/**
 * How much a rule weighs. `MUST`, `MUST NOT`, and what the documents or the schema state as a fact, are mandatory, or a
 * capability's where the rule belongs to an optional part; `SHOULD`, `SHOULD NOT`, what only an RFD or a page newer than the
 * schema says, and facts that contain an inference of ours are advisory; `MAY`, and what we infer alone, is informational.
 * {@link tierExceptions} go first.
 */
export function tierOf(requirement: Requirement): Tier {
  const exception = tierExceptions[requirement.id];
  if (exception) return exception.tier;
  const required: Tier = requirement.feature === undefined ? "mandatory" : "capability";
  const { level, sources } = requirement;
  if (sources.every((source) => source === "rfd" || source === "later page")) return "advisory";
  if (level === "MUST" || level === "MUST NOT") return required;
  if (level === "SHOULD" || level === "SHOULD NOT") return "advisory";
  if (level === "MAY") return "informational";
  if (sources.every((source) => source === "derived")) return "informational";
  if (sources.includes("derived")) return "advisory";
  return sources.includes("docs") || sources.includes("schema") ? required : "advisory";
}
