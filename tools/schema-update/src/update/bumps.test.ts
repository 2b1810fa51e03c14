import { describe, expect, it } from "vitest";
import type { SourceDiff } from "../diff-sources.js";
import type { Difference, Effect } from "../difference.js";
import { type Bump, bumpsFor } from "./bumps.js";

function diff(protocolVersion: number, stability: "stable" | "unstable", effect: Effect, methods: number): SourceDiff {
  const about = { directions: [], affects: [], methods: [], names: [] };
  const own: Difference[] = [
    ...Array.from(
      { length: methods },
      (): Difference => ({ ...about, effect: "additive", code: "method-added", path: "m", says: "is new" }),
    ),
    ...(effect === "none"
      ? []
      : [
          {
            ...about,
            effect,
            code: effect === "api" ? "export-renamed" : "type-changed",
            path: "ToolKind",
            says: "",
          } as const,
        ]),
  ];
  const counts = { before: { definitions: 0, methods: 0 }, after: { definitions: 0, methods: 0 } };
  const rest = { paths: { before: "", after: "" }, across: false, stabilised: [], problems: [], counts };
  return {
    ...{ before: "a", after: "b", effect, lone: [] },
    schemas: [{ protocolVersion, stability, effect, differences: own, ...rest }],
  };
}

describe("the bumps of the packages", () => {
  type Row = readonly [
    version: number,
    stability: "stable" | "unstable",
    verdict: Effect,
    methods: number,
    at0: Bump,
    at1: Bump,
    dependent: Bump | undefined,
  ];
  const rows: readonly Row[] = [
    [1, "stable", "breaking", 0, "minor", "major", "major"],
    [1, "stable", "api", 0, "minor", "major", "major"],
    [2, "stable", "api", 0, "minor", "minor", undefined],
    [1, "stable", "additive", 1, "minor", "minor", "minor"],
    [1, "stable", "additive", 0, "minor", "minor", undefined],
    [1, "stable", "decoder behaviour", 0, "minor", "minor", undefined],
    [1, "stable", "documentation", 0, "patch", "patch", undefined],
    [1, "unstable", "breaking", 1, "minor", "minor", undefined],
    [2, "stable", "breaking", 1, "minor", "minor", undefined],
    [2, "unstable", "documentation", 0, "patch", "patch", undefined],
  ];

  it.each(rows)(
    "v%i %s, %s, %i new methods: the bump is %s in 0.x and %s in 1.x; for a dependent of v1: %s",
    (version, stability, verdict, methods, at0, at1, dependent) => {
      const change = diff(version, stability, verdict, methods);
      const schemaAt = (release: string): Bump | undefined =>
        bumpsFor(change, [{ name: "@acp-kit/schema", version: release, imports: new Set(), reexports: new Map() }]).get(
          "@acp-kit/schema",
        );
      expect(schemaAt("0.3.0")).toBe(at0);
      expect(schemaAt("1.3.0")).toBe(at1);
      const types = [{ name: "@acp-kit/types", version: "1.3.0", imports: new Set<string>(), reexports: new Map() }];
      const moves = stability === "stable" && verdict !== "none";
      expect(bumpsFor(change, types).get("@acp-kit/types")).toBe(moves ? at1 : undefined);
      const reexports = new Map([["v1", new Set(["ToolKind"])]]);
      const packages = [{ name: "@acp-kit/agent", version: "1.0.0", imports: new Set(["v1"]), reexports }];
      expect(bumpsFor(change, packages).get("@acp-kit/agent")).toBe(dependent);
    },
  );
});
