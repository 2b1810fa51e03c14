import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { declaredMembers } from "../gen/v1/members.gen.js";
import { requirementOf } from "../requirements/find-requirement.js";
import { requirements } from "../requirements/requirements.js";
import { agentScenarios, agentWatches } from "./agent-checks.js";
import { promptPresets, promptPurposes } from "./prompt-purposes.js";

const checks = [...agentScenarios, ...agentWatches];
const verified = new Set(checks.flatMap(({ verifies }) => verifies));

test("every observable MUST and MUST NOT for agents has a scenario, or a written reason why not", () => {
  const open = requirements.filter(
    ({ id, level, binds, observability, untested }) =>
      binds !== "client" &&
      (level === "MUST" || level === "MUST NOT") &&
      observability !== "review" &&
      !verified.has(id) &&
      untested?.agent === undefined,
  );
  expect(open.map(({ id }) => id)).toEqual([]);
});

test("only rules without a scenario have a reason", () => {
  for (const { id, binds, untested } of requirements) {
    const reason = untested?.agent;
    if (reason === undefined) continue;
    expect(binds, id).not.toBe("client");
    expect(verified.has(id), id).toBe(false);
    expect(reason.length, id).toBeGreaterThan(20);
  }
});

test("scenarios have unique ids and cite existing rules for agents", () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, verifies } of checks) {
    expect(verifies.length, id).toBeGreaterThan(0);
    for (const rule of verifies) expect(requirementOf(rule).binds, `${id} cites ${rule}`).not.toBe("client");
  }
});

test("the preset for our own agent has a prompt for every purpose", () => {
  expect(Object.keys(promptPresets.everything).sort()).toEqual(Object.keys(promptPurposes).sort());
});

test("the declared members are those of the schemas, stable and unstable", () => {
  const schemas = ["schema.json", "schema.unstable.json"].map((name) => definitionsOf(name));
  const of = (definition: string): string[] =>
    [...new Set(schemas.flatMap((all) => [...membersOf(all, all[definition])]))]
      .filter((name) => name !== "_meta")
      .sort();
  expect(declaredMembers.results["session/new"]).toEqual(of("NewSessionResponse"));
  expect(declaredMembers.results["session/prompt"]).toEqual(of("PromptResponse"));
  expect(declaredMembers.results["session/list"]).toEqual(of("ListSessionsResponse"));
  expect(declaredMembers.results.initialize).toEqual(of("InitializeResponse"));
  expect(declaredMembers.params["session/request_permission"]).toEqual(of("RequestPermissionRequest"));
  expect(declaredMembers.params["elicitation/create"]).toEqual(of("CreateElicitationRequest"));
  expect(declaredMembers.params["terminal/create"]).toEqual(of("CreateTerminalRequest"));
  const updates: Record<string, string> = {
    agent_message_chunk: "ContentChunk",
    tool_call: "ToolCall",
    tool_call_update: "ToolCallUpdate",
    plan: "Plan",
    usage_update: "UsageUpdate",
    session_info_update: "SessionInfoUpdate",
    notice: "Notice",
    compaction_update: "CompactionUpdate",
  };
  for (const [tag, definition] of Object.entries(updates))
    expect(declaredMembers.updates[tag], tag).toEqual(of(definition));
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

function definitionsOf(name: string): Readonly<Record<string, Schema>> {
  const file = new URL(`../../../../schema/v1/${name}`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { $defs: Record<string, Schema> }).$defs;
}

function membersOf(all: Readonly<Record<string, Schema>>, schema: Schema | undefined): Set<string> {
  const names = new Set(Object.keys(schema?.properties ?? {}));
  const parts = [...(schema?.allOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])];
  if (schema?.$ref !== undefined) parts.push(all[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  for (const part of parts) for (const name of membersOf(all, part)) names.add(name);
  return names;
}
