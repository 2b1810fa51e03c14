import { fromRfd, type Quote } from "./quote.js";

/** The sentences of RFDs that state rules. */
export const rfdQuotes: Readonly<Record<string, Quote>> = {
  "DIR-01": fromRfd(
    "additional-directories#schema-changes",
    "Clients MUST send additionalDirectories only when sessionCapabilities.additionalDirectories is present.",
  ),
  "DIR-02": fromRfd(
    "additional-directories#field-definition",
    "Each entry MUST be an absolute path under the same platform path rules used for cwd.",
  ),
  "DIR-03": fromRfd(
    "additional-directories#validation-and-error-handling",
    "An agent receiving a session lifecycle request with additionalDirectories MUST validate the field before creating, loading, resuming, or forking the session.",
  ),
  "DIR-05": fromRfd(
    "additional-directories#client-responsibilities",
    "MUST send the full intended active additional root list on session/load and session/resume",
  ),
  "DIR-07": fromRfd(
    "additional-directories#validation-and-error-handling",
    "The agent MUST NOT silently ignore invalid, unauthorized, or unsupported entries and proceed with a reduced root set.",
  ),
  "DIR-09": fromRfd("additional-directories#semantics", "Relative paths MUST continue to resolve only against cwd."),
  "DIR-10": fromRfd(
    "additional-directories#agent-behavior-expectations",
    "Agents MUST treat paths under additionalDirectories as part of the session's accessible workspace scope in the same sense as paths under cwd, subject to capabilities and permissions actually available for that session.",
  ),
  "DIR-12": fromRfd(
    "additional-directories#validation-and-error-handling",
    "When enforcing root boundaries for subsequent file access, implementations SHOULD use canonical or real paths where available and MUST prevent escapes through symlinks, junctions, mount points, or equivalent mechanisms.",
  ),
  "DIR-13": fromRfd(
    "additional-directories#client-responsibilities",
    "If a client mediates filesystem access through ACP client capabilities such as fs/read_text_file and fs/write_text_file, it MUST enforce the effective root set for that session when authorizing path-based access.",
  ),
  "DIR-19": fromRfd(
    "additional-directories#client-responsibilities",
    "MUST send only paths it intends to expose to the session",
  ),
  "MSG-05": fromRfd(
    "message-id#how-should-agents-generate-message-ids",
    "Clients MUST treat messageId as an opaque string and not rely on any particular format or structure.",
  ),
  "FS-12": fromRfd(
    "additional-directories#client-responsibilities",
    "If a client mediates filesystem access through ACP client capabilities such as fs/read_text_file and fs/write_text_file, it MUST enforce the effective root set for that session when authorizing path-based access.",
  ),
};
