import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, ownRoots } from "../../requirements/untested.js";

/** The rules for `additionalDirectories`, the additional root folders of a session. */
export const additionalDirectoriesRules: readonly Requirement[] = defineFeatureRules("additionalDirectories", {
  "DIR-01 client MUST docs, rfd": {
    rule: "The client sends `additionalDirectories` only if the agent advertised `sessionCapabilities.additionalDirectories`. The member is valid in `session/new`, `session/load` and `session/resume`, and in the unstable `session/fork`.",
    feature: null,
    spec: "rfd additional-directories#schema-changes: Clients MUST send additionalDirectories only when sessionCapabilities.additionalDirectories is present.",
    brokenBy: ["CAP-07"],
    remedy: ifAgentHas("additionalDirectories", "sessionCapabilities.additionalDirectories is an object"),
  },
  "DIR-02 client MUST docs, rfd": {
    rule: "The client sends `additionalDirectories` as an array whose entries are absolute, non-empty path strings. Neither the member nor an entry is `null`.",
    spec: "rfd additional-directories#field-definition: Each entry MUST be an absolute path under the same platform path rules used for cwd.",
    remedy: "Send additionalDirectories as a list of absolute paths, and leave it out if there are none.",
  },
  "DIR-03 agent MUST rfd": {
    rule: "The agent rejects the request if `additionalDirectories` is not an array, or if an entry is not a string, is empty, or is not absolute. The recommended error is `-32602`. The agent validates the list before it creates or loads a session.",
    spec: "rfd additional-directories#validation-and-error-handling: An agent receiving a session lifecycle request with additionalDirectories MUST validate the field before creating, loading, resuming, or forking the session.",
  },
  "DIR-04 agent FACT docs, rfd":
    "Omitted or empty `additionalDirectories` mean that there are no additional roots. This also holds for `session/load` and `session/resume`: the agent never restores stored roots implicitly.",
  "DIR-05 client MUST docs, rfd": {
    rule: "On `session/load` and `session/resume`, the client sends the complete intended list again.",
    spec: "rfd additional-directories#client-responsibilities: MUST send the full intended active additional root list on session/load and session/resume",
    untested: { client: ownRoots },
  },
  "DIR-06 agent FACT docs, rfd":
    "On `session/load` and `session/resume`, the list may differ from any earlier or reported list, as long as `cwd` equals the `cwd` of the session.",
  "DIR-07 agent MUST NOT rfd": {
    rule: "If the agent cannot grant a syntactically valid root, the request fails. The agent never continues with a reduced list.",
    spec: "rfd additional-directories#validation-and-error-handling: The agent MUST NOT silently ignore invalid, unauthorized, or unsupported entries and proceed with a reduced root set.",
    untested: { agent: "Which roots an agent refuses is its own policy, which is not visible from outside." },
  },
  "DIR-08 agent MAY rfd":
    "The agent may refuse a root set that conflicts with its stored state, its sandbox or other constraints.",
  "DIR-09 agent MUST rfd; harness": {
    rule: "The agent resolves relative paths against `cwd` only.",
    spec: "rfd additional-directories#semantics: Relative paths MUST continue to resolve only against cwd.",
    untested: {
      agent:
        "It needs an agent that reads a relative path on command and reports the resolved path; no prompt guarantees that.",
    },
  },
  "DIR-10 agent MUST rfd; harness": {
    rule: "The agent treats paths under additional roots like paths under `cwd`: they are in scope, and subject to the same permissions.",
    spec: "rfd additional-directories#agent-behavior-expectations: Agents MUST treat paths under additionalDirectories as part of the session's accessible workspace scope in the same sense as paths under cwd, subject to capabilities and permissions actually available for that session.",
    untested: {
      agent:
        "As for SESS-10: whether a directory is in scope shows only in refusals, and agents differ in their refusals.",
    },
  },
  "DIR-11 agent SHOULD rfd; harness":
    "The agent searches each root for instructions, skills and configuration, as it does under `cwd`. In a conflict, the earlier root takes precedence.",
  "DIR-12 both MUST rfd; harness": {
    rule: "A peer uses real paths to check whether a path is inside a root. The check prevents an escape through symlinks, junctions and mounts, and fails if the result is uncertain.",
    spec: "rfd additional-directories#validation-and-error-handling: When enforcing root boundaries for subsequent file access, implementations SHOULD use canonical or real paths where available and MUST prevent escapes through symlinks, junctions, mount points, or equivalent mechanisms.",
    untested: {
      agent:
        "An agent that follows a link out of its roots may do so by permission; from outside that can't be distinguished from an escape.",
    },
  },
  "DIR-13 client MUST rfd": {
    rule: "A client that serves `fs/*` allows only paths inside the effective root set of the session.",
    spec: "rfd additional-directories#client-responsibilities: If a client mediates filesystem access through ACP client capabilities such as fs/read_text_file and fs/write_text_file, it MUST enforce the effective root set for that session when authorizing path-based access.",
  },
  "DIR-14 client SHOULD rfd":
    "The client removes exact duplicates, and entries that equal `cwd`, before it sends the list.",
  "DIR-15 agent MAY rfd": "The agent may drop exact duplicates. It keeps the order of the first occurrences.",
  "DIR-16 agent MAY docs, schema":
    "The agent may report the complete ordered list in `session/list`, as `SessionInfo.additionalDirectories`. An omitted list equals an empty one.",
  "DIR-17 client MUST NOT docs, rfd": {
    rule: "The client does not merge the reported list with earlier values, and does not infer roots from other state.",
    spec: "schema SessionInfo/properties/additionalDirectories: When present, this is the complete ordered additional-root list reported by the Agent.",
    untested: { client: ownRoots },
  },
  "DIR-18 both FACT rfd": {
    rule: "`session/list` has no filter for additional roots. The roots cannot change during a session, and `session_info_update` does not have the member.",
    untested: { client: mainlyAgents },
  },
  "DIR-19 client MUST NOT rfd; review": {
    rule: "The client does not send directories that the user has not granted. It SHOULD obtain the user's consent.",
    spec: "rfd additional-directories#client-responsibilities: MUST send only paths it intends to expose to the session",
  },
});
