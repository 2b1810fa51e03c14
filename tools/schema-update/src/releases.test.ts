import { describe, expect, it } from "vitest";
import { release } from "../test/fixtures/releases.js";
import { diffSources, type SchemaDiff, type SourceDiff } from "./diff-sources.js";
import { toMarkdown } from "./report/markdown.js";

/** The protocol's real history, release by release. Every expectation was checked against the files by hand. */
function between(before: string, after: string): SourceDiff {
  return diffSources(release(before), release(after));
}

function schema(diff: SourceDiff, protocolVersion: number, stability: "stable" | "unstable"): SchemaDiff {
  const found = diff.schemas.find((one) => one.protocolVersion === protocolVersion && one.stability === stability);
  if (found === undefined) throw new Error(`no v${protocolVersion} ${stability}`);
  return found;
}

/** Formats all differences with one effect as `path says`, without those of exports. */
function changeLines(diff: SchemaDiff, wanted: string): string[] {
  return diff.differences
    .filter(({ effect, code }) => effect === wanted && !code.startsWith("export-"))
    .map(({ path, says }) => `${path} ${says}`);
}

/** Returns the names of one kind: definitions with a new description, new exports, … */
function names(diff: SchemaDiff, wanted: string): string[] {
  return diff.differences.flatMap(({ code, path }) => (code === wanted ? [path] : []));
}

function paths(diff: SchemaDiff, wanted: string): string[] {
  return changeLines(diff, wanted).map((line) => line.split(" ")[0] ?? "");
}

function amount(diff: SchemaDiff, wanted: string): number {
  return changeLines(diff, wanted).length;
}

describe("2.0.0 → 2.0.2", () => {
  it("reports no change", () => {
    const diff = between("2.0.0", "2.0.2");
    expect(diff.effect).toBe("none");
    expect(diff.schemas).toHaveLength(4);
    expect(diff.schemas.flatMap((one) => one.differences)).toEqual([]);
    expect(toMarkdown(diff)).toContain("**No change.**");
  });
});

describe("the numbers in the table", () => {
  it("match the files", () => {
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

  it("separates 8 definitions whose decoding changed from 139 definitions with new descriptions", () => {
    const v1 = schema(diff, 1, "stable");
    expect(v1.effect).toBe("decoder behaviour");
    expect(
      new Set(v1.differences.filter((one) => one.effect === "decoder behaviour").flatMap((one) => one.names)),
    ).toEqual(
      new Set([
        ...["McpServerHttp", "McpServerSse", "McpServerStdio", "AuthMethodTerminal", "CreateTerminalRequest"],
        ...["LoadSessionRequest", "NewSessionRequest", "ResumeSessionRequest"],
      ]),
    );
    expect(names(v1, "documentation")).toHaveLength(139);
    expect([...changeLines(v1, "breaking"), ...changeLines(v1, "additive")]).toEqual([]);
  });

  it("finds the breaking changes of v2", () => {
    expect(changeLines(schema(diff, 2, "stable"), "breaking")).toEqual([
      "RequestId may no longer be `null`; agents and clients must not send it",
      "AgentResponse(Error).id may no longer be `null`; agents must not send it",
      "ClientResponse(Error).id may no longer be `null`; clients must not send it",
      "AvailableCommand(command).type is new and required; agents have to send it",
      "CreateElicitationRequest(other) must match exactly one of its forms now (`oneOf`, was `anyOf`); agents must adapt",
      "ElicitationFormMode must match exactly one of its forms now (`oneOf`, was `anyOf`); agents must adapt",
      "ElicitationUrlMode must match exactly one of its forms now (`oneOf`, was `anyOf`); agents must adapt",
      "ResourceLink.size accepts 0 … 2^64 − 1, was −2^63 … 2^63 − 1 (int64 → uint64); agents and clients must adapt",
      "ToolCallLocation.line accepts 1 … 2^32 − 1, was 0 … 2^32 − 1; agents must adapt",
    ]);
    expect(names(schema(diff, 2, "stable"), "export-renamed")).toEqual(["AuthCapabilities"]);
  });
});

describe("2.1.0 → 2.2.0", () => {
  it("finds the breaking changes of v2, and one new description in v1", () => {
    const diff = between("2.1.0", "2.2.0");
    expect(changeLines(schema(diff, 1, "stable"), "documentation")).toEqual([
      "Cost has a changed description: `Cost.currency`",
    ]);
    expect(changeLines(schema(diff, 2, "stable"), "breaking")).toEqual([
      "ElicitationContentValue may be any value now, was string or integer (int64) or number (double) or 2 more; agents have to accept it",
      "ElicitationSchema.properties is required now; agents have to send it",
      "ElicitationSchema.type is required now; agents have to send it",
      "SessionConfigSelectGroup.options needs at least 1 item, was any number of items; agents must adapt",
      "SessionConfigSelectOptions(Grouped) needs at least 1 item, was any number of items; agents must adapt",
      "SessionConfigSelectOptions(Ungrouped) needs at least 1 item, was any number of items; agents must adapt",
      "PromptRequest.prompt needs at least 1 item, was any number of items; clients must adapt",
      "AgentResponse(Error).id may be `null` now; clients have to accept it",
      "ClientResponse(Error).id may be `null` now; agents have to accept it",
    ]);
  });
});

describe("2.2.0 → 2.3.0", () => {
  it("is additive: new descriptions in v1, two new methods in v2, 27 new definitions in v1 unstable", () => {
    const diff = between("2.2.0", "2.3.0");
    expect(diff.effect).toBe("additive");
    expect(schema(diff, 1, "stable").effect).toBe("documentation");
    expect(names(schema(diff, 1, "stable"), "documentation")).toHaveLength(7);
    expect(paths(schema(diff, 2, "stable"), "additive")).toEqual([
      ...["terminal/cancel", "tool_call/cancel"],
      ...["ToolCallUpdate.capabilities", "IdleStateUpdate.background", "RequiresActionStateUpdate.background"],
      ...["RunningStateUpdate.background", "TerminalUpdate.capabilities", "ToolCallStatus"],
    ]);
    expect(names(schema(diff, 1, "unstable"), "export-added")).toEqual(
      expect.arrayContaining(["ArchiveSessionRequest", "agentMethods.archiveSession", "decodeAuthStatusRequest"]),
    );
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

  it("names the two removed members of v1 unstable, and the additions", () => {
    const v1 = schema(diff, 1, "unstable");
    expect(changeLines(v1, "breaking")).toEqual([
      "SessionMessageChunk.recipientSessionId was removed; clients no longer receive it",
      "SessionMessageChunk.senderSessionId was removed; clients no longer receive it",
    ]);
    expect(names(v1, "method-added")).toEqual([
      ...["auth/status", "auth/status_update", "proxy/initialize", "proxy/successor", "proxy/successor"],
      ...["session/archive", "session/set_title", "session/status", "session/unarchive"],
    ]);
    expect(amount(v1, "decoder behaviour")).toBe(16);
  });

  it("counts as additive: a widened type from which old readers recover, and a new value of an open enum", () => {
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

  it("lists breaking changes first, with the sides that are affected", () => {
    const report = toMarkdown(diff);
    expect(report).toContain(
      "- **Breaks clients** (2): `SessionMessageChunk.recipientSessionId`, `SessionMessageChunk.s",
    );
    expect(report.indexOf("Breaks clients")).toBeLessThan(report.indexOf("New methods: `auth/status`"));
    expect(report.split("\n").filter((line) => line.startsWith("- ")).length).toBeLessThan(80);
  });
});

describe("2.3.0 → 2.2.0, a comparison in reverse order", () => {
  it("separates breaks in the unstable schema from breaks in the stable one, without repetition", () => {
    const report = toMarkdown(between("2.3.0", "2.2.0"));
    expect(report).toContain("**Breaking** in v2, v1 unstable and v2 unstable; v1: documentation.");
    expect(report).toContain(
      "- **Breaks clients** (7): `terminal/cancel`, `tool_call/cancel`, `ToolCallUpdate.capabilities` and 4 more",
    );
    expect(report).toMatch(/- \d+ changes of v2 apply here, too\./);
    expect(report.split("`terminal/cancel`, `tool_call/cancel`: each was removed")).toHaveLength(2);
  });
});

describe("the first year", () => {
  it("0.4.5 → 0.5.1: one renamed member and two additions", () => {
    const v1 = schema(between("0.4.5", "0.5.1"), 1, "unstable");
    expect(changeLines(v1, "breaking")).toEqual([
      "SetSessionModeResponse.meta was removed; clients no longer receive it",
    ]);
    expect(paths(v1, "additive")).toEqual(
      expect.arrayContaining([
        "InitializeRequest.clientInfo",
        "InitializeResponse.agentInfo",
        "SetSessionModeResponse._meta",
      ]),
    );
  });

  it("0.5.1 → 0.7.0: every `$ref` became an `allOf` and every payload became a definition; only additions are reported", () => {
    const v1 = schema(between("0.5.1", "0.7.0"), 1, "unstable");
    expect(changeLines(v1, "breaking")).toEqual([]);
    expect(names(v1, "export-removed")).toEqual(["AuthMethodId"]);
    expect(paths(v1, "additive").filter((path) => !path.endsWith("._meta"))).toEqual([
      "session/list",
      "AgentCapabilities.sessionCapabilities",
    ]);
  });

  it("0.8.0 → 0.11.0: a required member in one unstable request", () => {
    expect(changeLines(schema(between("0.8.0", "0.11.0"), 1, "unstable"), "breaking")).toEqual([
      "ForkSessionRequest.cwd is new and required; clients have to send it",
    ]);
  });

  it("0.13.0 → 0.16.0: renamed definitions and an object that became a union are no changes, but new variants are", () => {
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
    expect(names(v1, "export-renamed")).toEqual([
      ...["FileSystemCapability", "KillTerminalCommandRequest", "KillTerminalCommandResponse"],
    ]);
    expect(names(v1, "export-removed")).toEqual([]);
  });

  it("0.18.0 → 0.20.0: two methods moved, and the new names are suggested", () => {
    expect(changeLines(schema(between("0.18.0", "0.20.0"), 1, "unstable"), "breaking")).toEqual([
      "session/elicitation was removed; agents probably have to call `elicitation/create` instead, because its params are similar",
      "session/elicitation/complete was removed; agents probably have to send `elicitation/complete` instead, because its params are similar",
    ]);
  });

  it("0.22.0 → 0.24.0: models were removed, variants of the plan require a capability, decoders have more recovery rules", () => {
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

  it("1.7.0 → 1.8.0: a stop reason that became the tag of a union keeps its meaning", () => {
    const v1 = schema(between("1.7.0", "1.8.0"), 1, "unstable");
    expect(changeLines(v1, "breaking")).toEqual([]);
    expect(paths(v1, "additive")).toEqual(["IdleStateUpdate(error)", "IdleStateUpdate"]);
  });

  it("1.8.0 → 1.9.0: 57 definitions were removed with their methods and four capabilities", () => {
    const v1 = schema(between("1.8.0", "1.9.0"), 1, "unstable");
    expect(names(v1, "export-removed")).toHaveLength(57);
    expect(names(v1, "export-added")).toHaveLength(5);
    expect(changeLines(v1, "breaking").filter((line) => !/^(nes|document)\//.test(line))).toEqual([
      "AgentCapabilities.nes was removed; clients no longer receive it",
      "AgentCapabilities.positionEncoding was removed; clients no longer receive it",
      "ClientCapabilities.nes was removed; agents no longer receive it",
      "ClientCapabilities.positionEncodings was removed; agents no longer receive it",
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

  it.each(pairs)("%s → %s can be compared, and a release has no difference to itself", (before, after) => {
    const diff = between(before, after);
    expect(toMarkdown(diff)).toContain(`# Schema: ${before} → ${after}`);
    if (before === after) expect(diff.effect).toBe("none");
    for (const one of diff.schemas) expect(one.counts.after.methods).toBeGreaterThan(10);
  });
});
