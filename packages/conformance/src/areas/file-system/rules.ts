import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for files that an agent reads and writes through the client. */
export const fileSystemRules: readonly Requirement[] = defineFeatureRules("fs", {
  "FS-01 agent MUST docs": {
    rule: "The agent checks `clientCapabilities.fs.readTextFile` and `.writeTextFile` before it uses the methods of `fs/`.",
    feature: null,
    spec: "page file-system#checking-support: Before attempting to use filesystem methods, Agents MUST verify that the Client supports these capabilities by checking the Client Capabilities field in the initialize response:",
    brokenBy: ["CAP-13", "CAP-14"],
    remedy: ifClientHas("a method of fs/", "the flag of that method is true"),
  },
  "FS-02 agent MUST NOT docs": {
    rule: "The agent never calls a method of `fs/` whose flag is false or absent.",
    feature: null,
    spec: "page file-system#checking-support: If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
    brokenBy: ["CAP-13", "CAP-14"],
    remedy: ifClientHas("a method of fs/", "the flag of that method is true"),
    official: { "ACP-CLIENTCAP-001": "mandatory" },
  },
  "FS-03 both MUST docs, schema": {
    rule: "The `path` of `fs/read_text_file` and `fs/write_text_file` is absolute.",
    spec: "page overview#argument-requirements: All file paths in the protocol MUST be absolute.",
    remedy: "Resolve paths against the cwd of the session before you send them.",
  },
  "FS-04 client FACT docs":
    "The client responds to `fs/read_text_file` with `{content}`, which includes unsaved changes in the editor.",
  "FS-05 client FACT docs, schema":
    "`line` is the first line to read (1-based), and `limit` the maximum number of lines. Both are optional, and `null` equals an omitted member.",
  "FS-06 client FACT schema":
    "The client responds to a malformed `line` or `limit` (a negative number, a fraction, a string) with `-32602`, and does not ignore it; this is strict since Nov 2026. `0` is valid in the schema but is not a 1-based line: its effect is not specified.",
  "FS-07 client FACT derived":
    'Version 1 does not specify the response to a `line` after the end of the file; this package recommends `content:""`. It also leaves open the handling of a line break at the end, encodings, binary files and limits of size.',
  "FS-08 client MUST docs; harness": {
    rule: "If the file of `fs/write_text_file {sessionId,path,content}` does not exist, the client creates it.",
    spec: "page file-system#writing-files: The Client MUST create the file if it doesn't exist.",
    remedy: "Create the file, and write exactly the content of the request, before you respond.",
  },
  "FS-09 client FACT schema":
    "The client responds to a successful `fs/write_text_file` with the object `{}`. An example of the pages shows `null`: a client should send `{}`, and an agent should also accept `null`.",
  "FS-10 client SHOULD later page": "The client responds to `fs/read_text_file` of a missing file with `-32002`.",
  "FS-11 both MUST schema": {
    rule: "The agent sends `sessionId` with `fs/read_text_file` and `fs/write_text_file`, and the client expects it.",
    spec: "schema ReadTextFileRequest/required",
    remedy: "Send and expect sessionId with both methods of fs/, and the other members in the types of the schema.",
  },
  "FS-12 client MUST rfd": {
    rule: "The client enforces the root set of the session, as DIR-13 says.",
    spec: "rfd additional-directories#client-responsibilities: If a client mediates filesystem access through ACP client capabilities such as fs/read_text_file and fs/write_text_file, it MUST enforce the effective root set for that session when authorizing path-based access.",
    brokenBy: ["DIR-13"],
  },
  "FS-13 client FACT docs; harness":
    "`fs/write_text_file` replaces the whole content of the file. An open editor buffer shows the new content.",
});
