import { describe, expect, it } from "vitest";
import * as v1 from "./index.js";
import * as v2 from "./v2/index.js";

// Red means: a capability was removed or changed its kind. New ones are reported by `pnpm schema:update`.
describe("the capability trees", () => {
  it("of version 1 are pinned", () => {
    expect(v1.agentCapabilityTree).toMatchObject({
      loadSession: "flag",
      promptCapabilities: "group",
      "promptCapabilities.image": "flag",
      "promptCapabilities.audio": "flag",
      "promptCapabilities.embeddedContext": "flag",
      mcpCapabilities: "group",
      "mcpCapabilities.http": "flag",
      "mcpCapabilities.sse": "flag",
      sessionCapabilities: "group",
      "sessionCapabilities.list": "marker",
      "sessionCapabilities.delete": "marker",
      "sessionCapabilities.additionalDirectories": "marker",
      "sessionCapabilities.resume": "marker",
      "sessionCapabilities.close": "marker",
      auth: "group",
      "auth.logout": "marker",
    });
    expect(v1.clientCapabilityTree).toMatchObject({
      fs: "group",
      "fs.readTextFile": "flag",
      "fs.writeTextFile": "flag",
      terminal: "flag",
      session: "group",
      "session.compaction": "marker",
      "session.configOptions": "group",
      "session.configOptions.boolean": "marker",
      "session.notices": "marker",
      auth: "group",
      "auth.terminal": "flag",
      elicitation: "group",
      "elicitation.form": "marker",
      "elicitation.url": "marker",
    });
  });

  it("of version 2 contain a group that is itself a switch", () => {
    expect(v2.agentCapabilityTree.session).toBe("marker");
    expect(v2.agentCapabilityTree["session.prompt"]).toBe("group");
    expect(v2.agentCapabilityTree["session.prompt.image"]).toBe("marker");
  });
});

describe("the gates on parts of messages", () => {
  const needs = (at: string, variant?: string) =>
    v1.payloadGates.find((gate) => gate.at === at && gate.variant === variant)?.capability;

  it("cover the prompt's blocks, the MCP transports and the gated updates", () => {
    expect(needs("PromptRequest.prompt", "image")).toBe("agent.promptCapabilities.image");
    expect(needs("PromptRequest.prompt", "resource")).toBe("agent.promptCapabilities.embeddedContext");
    expect(needs("PromptRequest.prompt", "resource_link")).toBeUndefined();
    expect(needs("NewSessionRequest.mcpServers", "sse")).toBe("agent.mcpCapabilities.sse");
    expect(needs("SessionNotification.update", "notice")).toBe("client.session.notices");
    expect(needs("LoadSessionRequest.additionalDirectories")).toBe("agent.sessionCapabilities.additionalDirectories");
    expect(needs("ConfigOptionUpdate.configOptions", "boolean")).toBe("client.session.configOptions.boolean");
  });
});

describe("the members with patch semantics", () => {
  it("are few in version 1", () => {
    expect(v1.patchedMembers).toEqual({
      CompactionUpdate: ["summary", "error", "_meta"],
      SessionInfoUpdate: ["title", "updatedAt", "_meta"],
    });
  });

  it("are those of every upsert in version 2", () => {
    expect(Object.keys(v2.patchedMembers)).toEqual([
      "AgentMessage",
      "AgentThought",
      "CompactionUpdate",
      "SessionInfoUpdate",
      "TerminalUpdate",
      "ToolCallUpdate",
      "UsageUpdate",
      "UserMessage",
    ]);
    expect(v2.patchedMembers.UsageUpdate).toEqual(["cost"]);
    expect(v2.patchedMembers.ToolCallUpdate).toContain("rawOutput");
  });
});
