import type { Requirement } from "../requirement.js";

/** What a decoder tolerates, as declared by the schema. */
export const decodingRequirements: readonly Requirement[] = [
  {
    id: "WIRE-01",
    level: "SHOULD",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`x-deserialize-default-on-error`: a malformed value of that optional member is treated as absent/default instead of failing the message (245 places in v1).",
  },
  {
    id: "WIRE-02",
    level: "SHOULD",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`x-deserialize-skip-invalid-items`: bad array elements are dropped, good ones kept (19 arrays, e.g. `sessions`, `configOptions`, `authMethods`, tool `content`, plan `entries`, `availableCommands`).",
  },
  {
    id: "WIRE-03",
    level: "SHOULD",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`x-deserialize-default-on-null`: `null` becomes empty, anything else malformed is an error (14 request members: `mcpServers`, `additionalDirectories`, `args`, `env`, `headers`).",
  },
  {
    id: "WIRE-04",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "Strict members (no leniency): ids, paths, `prompt`, `line`, `limit`, terminal `cwd`/`outputByteLimit`, `session/list` `cwd`/`cursor`, elicitation schema constraints and `content`, `stopReason`, permission outcome.",
  },
  {
    id: "WIRE-05",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "Seven arrays are required *and* lenient (`availableModes`, group `options`, `sessions`, `configOptions` (2), plan `entries`, `availableCommands`): a sender must always send them.",
  },
  {
    id: "WIRE-06",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "Closed enums in v1: stop reason, tool kind/status, plan priority/status, permission kind, role, string format. Open: config category, error code, notice severity, compaction status; open unions: elicitation mode, action, property and item types.",
  },
];
