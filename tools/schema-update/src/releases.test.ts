import { describe, expect, it } from "vitest";
import { diffSources, type SchemaDiff, type SourceDiff } from "./diff-sources.js";
import { release } from "./fixtures/releases.js";
import { toMarkdown } from "./report/markdown.js";

/** The protocol's real history, release by release; every expectation was checked against the files by hand. */
function between(before: string, after: string): SourceDiff {
  return diffSources(release(before), release(after));
}

function schema(diff: SourceDiff, protocolVersion: number, stability: "stable" | "unstable"): SchemaDiff {
  const found = diff.schemas.find((one) => one.protocolVersion === protocolVersion && one.stability === stability);
  if (found === undefined) throw new Error(`no v${protocolVersion} ${stability}`);
  return found;
}

/** All changes of one class, `path says`. */
function told(diff: SchemaDiff, wanted: string): string[] {
  return [
    ...diff.methods.filter((one) => one.class === wanted).map(({ name, says }) => `${name} ${says}`),
    ...diff.changes.filter((one) => one.class === wanted).map(({ path, says }) => `${path} ${says}`),
  ];
}

function paths(diff: SchemaDiff, wanted: string): string[] {
  return told(diff, wanted).map((line) => line.split(" ")[0] ?? "");
}

function amount(diff: SchemaDiff, wanted: string): number {
  return diff.changes.filter((one) => one.class === wanted).length;
}

describe("2.0.0 → 2.0.2", () => {
  it("says that nothing changed", () => {
    const diff = between("2.0.0", "2.0.2");
    expect(diff.class).toBe("none");
    expect(diff.schemas).toHaveLength(4);
    expect(diff.schemas.flatMap((one) => [...one.changes, ...one.methods])).toEqual([]);
    expect(toMarkdown(diff)).toContain("**No change.**");
  });
});

describe("the sizes in the table", () => {
  it("are those of the files", () => {
    const sizes = between("2.3.0", "2.4.0").schemas.map(({ counts }) => [
      counts.after.methods,
      counts.after.definitions,
    ]);
    expect(sizes).toEqual([
      [25, 178],
      [18, 197],
      [38, 252],
      [31, 262],
    ]);
  });
});

describe("2.0.2 → 2.1.0", () => {
  const diff = between("2.0.2", "2.1.0");

  it("keeps the eight definitions whose decoding changed apart from 135 that only read differently", () => {
    const v1 = schema(diff, 1, "stable");
    expect(v1.class).toBe("decoder behaviour");
    expect(new Set(v1.changes.filter((one) => one.class === "decoder behaviour").map((one) => one.definition))).toEqual(
      new Set([
        ...["McpServerHttp", "McpServerSse", "McpServerStdio", "AuthMethodTerminal", "CreateTerminalRequest"],
        ...["LoadSessionRequest", "NewSessionRequest", "ResumeSessionRequest"],
      ]),
    );
    expect(v1.definitions.documentation).toHaveLength(135);
    expect([...told(v1, "breaking"), ...told(v1, "additive"), ...told(v1, "annotation")]).toEqual([]);
  });

  it("finds what broke in v2", () => {
    expect(told(schema(diff, 2, "stable"), "breaking")).toEqual([
      "RequestId may no longer be `null`; agents and clients must not send it",
      "AgentResponse(Error).id may no longer be `null`; agents must not send it",
      "ClientResponse(Error).id may no longer be `null`; clients must not send it",
      "AvailableCommand(command).type is new and required; agents have to send it",
      "CreateElicitationRequest(other) has to fit exactly one of its forms now (`oneOf`, was `anyOf`); agents have to follow",
      "ElicitationFormMode has to fit exactly one of its forms now (`oneOf`, was `anyOf`); agents have to follow",
      "ElicitationUrlMode has to fit exactly one of its forms now (`oneOf`, was `anyOf`); agents have to follow",
      "ResourceLink.size accepts 0 … 2^64 − 1, was −2^63 … 2^63 − 1 (int64 → uint64); agents and clients have to follow",
      "ToolCallLocation.line accepts 1 … 2^32 − 1, was 0 … 2^32 − 1; agents have to follow",
    ]);
    expect(schema(diff, 2, "stable").definitions.renamed).toEqual([
      { before: "AuthCapabilities", after: "ClientAuthCapabilities" },
    ]);
  });
});

describe("2.1.0 → 2.2.0", () => {
  it("finds what broke in v2, and that v1 only says one thing in other words", () => {
    const diff = between("2.1.0", "2.2.0");
    expect(told(schema(diff, 1, "stable"), "documentation")).toEqual([
      "Cost is described in other words: `Cost.currency`",
    ]);
    expect(told(schema(diff, 2, "stable"), "breaking")).toEqual([
      "ElicitationContentValue may be any value now, was string or integer (int64) or number (double) or 2 more; agents have to accept it",
      "ElicitationSchema.properties is required now; agents have to send it",
      "ElicitationSchema.type is required now; agents have to send it",
      "SessionConfigSelectGroup.options needs at least 1 item, was any number of items; agents have to follow",
      "SessionConfigSelectOptions(Grouped) needs at least 1 item, was any number of items; agents have to follow",
      "SessionConfigSelectOptions(Ungrouped) needs at least 1 item, was any number of items; agents have to follow",
      "PromptRequest.prompt needs at least 1 item, was any number of items; clients have to follow",
      "AgentResponse(Error).id may be `null` now; clients have to accept it",
      "ClientResponse(Error).id may be `null` now; agents have to accept it",
    ]);
  });
});

describe("2.2.0 → 2.3.0", () => {
  it("is additive: v1 in words only, v2 with two methods, v1 unstable with 27 definitions", () => {
    const diff = between("2.2.0", "2.3.0");
    expect(diff.class).toBe("additive");
    expect(schema(diff, 1, "stable").class).toBe("documentation");
    expect(schema(diff, 1, "stable").definitions.documentation).toHaveLength(7);
    expect(paths(schema(diff, 2, "stable"), "additive")).toEqual([
      ...["tool_call/cancel", "terminal/cancel"],
      ...["ToolCallUpdate.capabilities", "IdleStateUpdate.background", "RequiresActionStateUpdate.background"],
      ...["RunningStateUpdate.background", "TerminalUpdate.capabilities", "ToolCallStatus"],
    ]);
    expect(schema(diff, 1, "unstable").definitions.added).toHaveLength(27);
  });
});

describe("1.9.0 → 2.4.0", () => {
  const diff = between("1.9.0", "2.4.0");

  it("knows that schema/schema.json of 1.x is the unstable one", () => {
    expect(diff.schemas.map((one) => `v${one.protocolVersion} ${one.stability}`)).toEqual([
      "v1 unstable",
      "v2 unstable",
    ]);
    expect(diff.lone).toEqual([
      { in: "after", path: "schema/v1/schema.json", protocolVersion: 1, stability: "stable" },
      { in: "after", path: "schema/v2/schema.json", protocolVersion: 2, stability: "stable" },
    ]);
  });

  it("names the two members that v1 unstable lost, and what it gained", () => {
    const v1 = schema(diff, 1, "unstable");
    expect(told(v1, "breaking")).toEqual([
      "SessionMessageChunk.recipientSessionId is gone; clients no longer get it",
      "SessionMessageChunk.senderSessionId is gone; clients no longer get it",
    ]);
    expect(v1.methods.map(({ name }) => name)).toEqual([
      ...["auth/status", "session/archive", "session/unarchive", "session/status", "session/set_title"],
      ...["auth/status_update", "proxy/initialize", "proxy/successor", "proxy/successor"],
    ]);
    expect(amount(v1, "decoder behaviour")).toBe(16);
  });

  it("calls a widening additive where old readers recover, and a value of an open set too", () => {
    const additive = paths(schema(diff, 2, "unstable"), "additive");
    expect(additive).toEqual(
      expect.arrayContaining([
        "TerminalExitStatus.exitCode",
        "Cost.currency",
        "ToolCallStatus",
        "Error.data",
        "TerminalUpdate.size",
      ]),
    );
  });

  it("puts what breaks first, and says who is concerned", () => {
    const report = toMarkdown(diff);
    expect(report.indexOf("Breaks clients")).toBeLessThan(report.indexOf("Adds 8 methods"));
    expect(report).toContain(
      "The file holds stable and unstable parts together; there is no stable one to compare with.",
    );
    expect(report.split("\n").filter((line) => line.startsWith("- ")).length).toBeLessThan(80);
  });
});

describe("2.3.0 → 2.2.0, backwards", () => {
  it("separates breaks for users of the unstable schema from breaks for all, without repetition", () => {
    const report = toMarkdown(between("2.3.0", "2.2.0"));
    expect(report).toContain("**Breaking** in v2, v1 unstable and v2 unstable; v1: documentation.");
    expect(report).toContain(
      "- **Breaks clients** (7): `tool_call/cancel`, `terminal/cancel`, `ToolCallUpdate.capabilities` and 4 more",
    );
    expect(report).toContain("- Only people who opted in to the unstable schema are affected.");
    expect(report).toContain("- 16 of these 24 concern only people who opted in to the unstable schema.");
    expect(report).toContain("The other 8 changes of this schema are those of v2 above.");
  });
});

describe("the first year", () => {
  it("0.4.5 → 0.5.1: a member that was renamed, apart from two additions", () => {
    const v1 = schema(between("0.4.5", "0.5.1"), 1, "unstable");
    expect(told(v1, "breaking")).toEqual(["SetSessionModeResponse.meta is gone; clients no longer get it"]);
    expect(paths(v1, "additive")).toEqual(
      expect.arrayContaining([
        "InitializeRequest.clientInfo",
        "InitializeResponse.agentInfo",
        "SetSessionModeResponse._meta",
      ]),
    );
  });

  it("0.5.1 → 0.7.0: every `$ref` became `allOf` and every payload a definition; only additions are real", () => {
    const v1 = schema(between("0.5.1", "0.7.0"), 1, "unstable");
    expect(v1.wire).toBe("additive");
    expect(v1.api.removed).toEqual(["AuthMethodId"]);
    expect(paths(v1, "additive").filter((path) => !path.endsWith("._meta"))).toEqual([
      "session/list",
      "AgentCapabilities.sessionCapabilities",
    ]);
    expect(v1.definitions.removed.map(({ name, class: verdict }) => `${name} ${verdict}`)).toEqual([
      "AgentOutgoingMessage none",
      "AuthMethodId none",
      "ClientOutgoingMessage none",
    ]);
  });

  it("0.8.0 → 0.11.0: a required member in one unstable request", () => {
    expect(told(schema(between("0.8.0", "0.11.0"), 1, "unstable"), "breaking")).toEqual([
      "ForkSessionRequest.cwd is new and required; clients have to send it",
    ]);
  });

  it("0.13.0 → 0.16.0: renames and an object that became a union are neutral, new variants are not", () => {
    const v1 = schema(between("0.13.0", "0.16.0"), 1, "unstable");
    expect(paths(v1, "breaking")).toEqual([
      ...[
        "SessionConfigOptionCategory",
        "SessionConfigOption(boolean)",
        "AuthMethod(env_var)",
        "SessionUpdate(usage_update)",
      ],
      ...["SetSessionConfigOptionRequest(boolean)", "SessionConfigOptionCategory"],
    ]);
    expect(v1.definitions.renamed.map(({ before, after }) => `${before} → ${after}`)).toEqual([
      "KillTerminalCommandRequest → KillTerminalRequest",
      "KillTerminalCommandResponse → KillTerminalResponse",
      "FileSystemCapability → FileSystemCapabilities",
    ]);
    expect(v1.definitions.removed).toEqual([]);
  });

  it("0.18.0 → 0.20.0: two methods moved, and the new names are suggested", () => {
    expect(told(schema(between("0.18.0", "0.20.0"), 1, "unstable"), "breaking")).toEqual([
      "session/elicitation/complete is gone; agents have to send `elicitation/complete` instead, by the looks of its params",
      "session/elicitation is gone; agents have to call `elicitation/create` instead, by the looks of its params",
    ]);
  });

  it("0.22.0 → 0.24.0: models were removed, the plan's variants wait for a capability, decoders learnt to recover", () => {
    const v1 = schema(between("0.22.0", "0.24.0"), 1, "unstable");
    expect(paths(v1, "breaking")).toEqual([
      ...["session/set_model", "ForkSessionResponse.models", "LoadSessionResponse.models"],
      ...["NewSessionResponse.models", "ResumeSessionResponse.models"],
    ]);
    expect(paths(v1, "additive")).toEqual([
      ...["ClientCapabilities.planCapabilities", "SessionUpdate(plan_removed)", "SessionUpdate(plan_update)"],
    ]);
    expect(amount(v1, "decoder behaviour")).toBe(84);
  });

  it("1.7.0 → 1.8.0: a stop reason that became the tag of a union means what it meant", () => {
    const v1 = schema(between("1.7.0", "1.8.0"), 1, "unstable");
    expect(told(v1, "breaking")).toEqual([]);
    expect(paths(v1, "additive")).toEqual(["IdleStateUpdate(error)", "IdleStateUpdate"]);
  });

  it("1.8.0 → 1.9.0: 57 definitions went with their methods and four capabilities", () => {
    const v1 = schema(between("1.8.0", "1.9.0"), 1, "unstable");
    expect(v1.definitions.removed).toHaveLength(57);
    expect(v1.definitions.added).toHaveLength(5);
    expect(told(v1, "breaking").filter((line) => !/^(nes|document)\//.test(line))).toEqual([
      "AgentCapabilities.nes is gone; clients no longer get it",
      "AgentCapabilities.positionEncoding is gone; clients no longer get it",
      "ClientCapabilities.nes is gone; agents no longer get it",
      "ClientCapabilities.positionEncodings is gone; agents no longer get it",
    ]);
  });
});

describe("any two releases", () => {
  const versions = ["0.4.5", "0.11.0", "0.20.0", "1.4.0", "1.9.0", "2.0.0", "2.4.0"];
  const pairs = versions.flatMap((before, index) =>
    [before, versions[index + 1], versions[index - 1]].flatMap((after) =>
      after === undefined ? [] : [[before, after] as const],
    ),
  );

  it.each(pairs)(
    "%s → %s: a comparison can be made, and nothing is found between a release and itself",
    (before, after) => {
      const diff = between(before, after);
      expect(toMarkdown(diff)).toContain(`# Schema: ${before} → ${after}`);
      if (before === after) expect(diff.class).toBe("none");
      for (const one of diff.schemas) expect(one.unknownKeywords).toEqual([]);
    },
  );
});
