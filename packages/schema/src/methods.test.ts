import { describe, expect, it } from "vitest";
import * as decodeV1 from "./decode.js";
import * as v1 from "./index.js";
import * as decodeV1Unstable from "./unstable/decode.js";
import * as v1Unstable from "./unstable/index.js";
import * as decodeV2 from "./v2/decode.js";
import * as v2 from "./v2/index.js";
import * as decodeV2Unstable from "./v2/unstable/decode.js";
import * as v2Unstable from "./v2/unstable/index.js";

type Table = Readonly<Record<string, v1.MethodInfo>>;

/** `session/load → loadSession(LoadSessionRequest): LoadSessionResponse [agent.loadSession]` */
function lines(table: Table): string[] {
  return Object.entries(table).map(([method, { name, params, result = "nothing", capability, condition }]) => {
    const gate = capability === undefined ? (condition ?? "") : capability.join(" or ");
    return `${method} → ${name}(${params}): ${result} [${gate}]`;
  });
}

// Red means: a part of the protocol's surface was removed or changed its meaning. New parts are reported by
// `pnpm schema:update`.
describe("the 25 methods of version 1", () => {
  it("that an agent handles are pinned", () => {
    expect(lines(v1.agentRequests)).toEqual(
      expect.arrayContaining([
        "authenticate → authenticate(AuthenticateRequest): AuthenticateResponse [`authMethods` lists a method that is not of type `terminal`]",
        "initialize → initialize(InitializeRequest): InitializeResponse []",
        "logout → logout(LogoutRequest): LogoutResponse [agent.auth.logout]",
        "session/close → closeSession(CloseSessionRequest): CloseSessionResponse [agent.sessionCapabilities.close]",
        "session/delete → deleteSession(DeleteSessionRequest): DeleteSessionResponse [agent.sessionCapabilities.delete]",
        "session/list → listSessions(ListSessionsRequest): ListSessionsResponse [agent.sessionCapabilities.list]",
        "session/load → loadSession(LoadSessionRequest): LoadSessionResponse [agent.loadSession]",
        "session/new → newSession(NewSessionRequest): NewSessionResponse []",
        "session/prompt → prompt(PromptRequest): PromptResponse []",
        "session/resume → resumeSession(ResumeSessionRequest): ResumeSessionResponse [agent.sessionCapabilities.resume]",
        "session/set_config_option → setSessionConfigOption(SetSessionConfigOptionRequest): SetSessionConfigOptionResponse [the session's response had `configOptions`]",
        "session/set_mode → setSessionMode(SetSessionModeRequest): SetSessionModeResponse [the session's response had `modes`]",
      ]),
    );
    expect(lines(v1.agentNotifications)).toEqual(
      expect.arrayContaining(["session/cancel → cancel(CancelNotification): nothing []"]),
    );
  });

  it("that a client handles are pinned", () => {
    expect(lines(v1.clientRequests)).toEqual(
      expect.arrayContaining([
        "elicitation/create → createElicitation(CreateElicitationRequest): CreateElicitationResponse [client.elicitation.form or client.elicitation.url]",
        "fs/read_text_file → readTextFile(ReadTextFileRequest): ReadTextFileResponse [client.fs.readTextFile]",
        "fs/write_text_file → writeTextFile(WriteTextFileRequest): WriteTextFileResponse [client.fs.writeTextFile]",
        "session/request_permission → requestPermission(RequestPermissionRequest): RequestPermissionResponse []",
        "terminal/create → createTerminal(CreateTerminalRequest): CreateTerminalResponse [client.terminal]",
        "terminal/kill → killTerminal(KillTerminalRequest): KillTerminalResponse [client.terminal]",
        "terminal/output → terminalOutput(TerminalOutputRequest): TerminalOutputResponse [client.terminal]",
        "terminal/release → releaseTerminal(ReleaseTerminalRequest): ReleaseTerminalResponse [client.terminal]",
        "terminal/wait_for_exit → waitForTerminalExit(WaitForTerminalExitRequest): WaitForTerminalExitResponse [client.terminal]",
      ]),
    );
    expect(lines(v1.clientNotifications)).toEqual(
      expect.arrayContaining([
        "elicitation/complete → completeElicitation(CompleteElicitationNotification): nothing [an earlier elicitation had mode `url`]",
        "session/update → sessionUpdate(SessionNotification): nothing []",
      ]),
    );
  });

  it("that either side handles are pinned", () => {
    expect(lines(v1.protocolNotifications)).toEqual(
      expect.arrayContaining(["$/cancel_request → cancelRequest(CancelRequestNotification): nothing []"]),
    );
  });
});

describe.each([
  ["version 1", v1, 1, [12, 1, 9, 2, 1]],
  ["version 1, unstable", v1Unstable, 1, [21, 2, 10, 3, 1]],
  ["version 2", v2, 2, [12, 1, 2, 2, 1]],
  ["version 2, unstable", v2Unstable, 2, [21, 2, 3, 3, 1]],
] as const)("%s", (_, schema, protocolVersion, counts) => {
  const tables: readonly Table[] = [
    schema.agentRequests,
    schema.agentNotifications,
    schema.clientRequests,
    schema.clientNotifications,
    schema.protocolNotifications,
  ];

  it("has its own number", () => {
    expect(schema.protocolVersion).toBe(protocolVersion);
  });

  it("has lost no request and no notification on any side", () => {
    for (const [index, table] of tables.entries())
      expect(Object.keys(table).length).toBeGreaterThanOrEqual(counts[index] ?? 0);
  });

  it("has a constant for each method, under the name of its handler", () => {
    const names = { ...schema.agentMethods, ...schema.protocolMethods } as Readonly<Record<string, string>>;
    for (const table of [schema.agentRequests, schema.agentNotifications, schema.protocolNotifications] as Table[]) {
      for (const [method, info] of Object.entries(table)) expect(names[info.name]).toBe(method);
    }
  });

  it("has a result for every request and none for a notification", () => {
    for (const [index, table] of tables.entries()) {
      const isRequest = index === 0 || index === 2;
      for (const info of Object.values(table)) expect(info.result !== undefined, info.name).toBe(isRequest);
    }
  });

  it("needs only capabilities that are in its trees and turn something on", () => {
    const trees: Readonly<Record<string, Readonly<Record<string, v1.CapabilityKind>>>> = {
      agent: schema.agentCapabilityTree,
      client: schema.clientCapabilityTree,
    };
    const needed = [
      ...tables.flatMap((table) => Object.values(table).flatMap((info) => info.capability ?? [])),
      ...schema.payloadGates.map((gate) => gate.capability),
    ];
    for (const capability of needed) {
      const [side = "", ...path] = capability.split(".");
      expect(["flag", "marker"], capability).toContain(trees[side]?.[path.join(".")]);
    }
    expect(needed.length).toBeGreaterThan(10);
  });
});

describe("the unstable schemas", () => {
  it("distinguish their own methods from the stable ones", () => {
    const unstable = Object.entries(v1Unstable.agentRequests as Table).filter(
      ([, info]) => info.stability === "unstable",
    );
    expect(unstable.map(([method]) => method)).toEqual([
      "auth/status",
      "providers/disable",
      "providers/list",
      "providers/set",
      "session/archive",
      "session/fork",
      "session/set_title",
      "session/status",
      "session/unarchive",
    ]);
    expect(v1Unstable.agentNotifications["mcp/message"].stability).toBe("unstable");
    expect(v1Unstable.agentRequests["session/new"].stability).toBe("stable");
  });

  it("have one wire name for a request and a notification", () => {
    expect(v1Unstable.clientRequests["mcp/message"].params).toBe("MessageMcpRequest");
    expect(v1Unstable.agentNotifications["mcp/message"].params).toBe("MessageMcpNotification");
    expect(v1Unstable.proxyRequests["proxy/successor"].params).toBe("ProxySuccessorRequest");
    expect(v1Unstable.proxyNotifications["proxy/successor"].params).toBe("ProxySuccessorNotification");
  });
});

describe("the methods of version 2", () => {
  it("are pinned by name", () => {
    expect(Object.values(v2.agentMethods).sort()).toEqual(
      expect.arrayContaining([
        "auth/login",
        "auth/logout",
        "initialize",
        "session/cancel",
        "session/close",
        "session/delete",
        "session/list",
        "session/new",
        "session/prompt",
        "session/resume",
        "session/set_config_option",
        "terminal/cancel",
        "tool_call/cancel",
      ]),
    );
    expect(Object.values(v2.clientMethods).sort()).toEqual(
      expect.arrayContaining([
        "elicitation/complete",
        "elicitation/create",
        "session/request_permission",
        "session/update",
      ]),
    );
  });
});

it.each([
  ["v1", decodeV1, v1],
  ["v1 unstable", decodeV1Unstable, v1Unstable],
  ["v2", decodeV2, v2],
  ["v2 unstable", decodeV2Unstable, v2Unstable],
])("has in the gates of %s what the tables say of capabilities", (_, { agentGates, clientGates }, tables) => {
  const gated = (table: Table) =>
    Object.entries(table).flatMap(([method, { capability }]) => (capability ? [[method, { capability }]] : []));
  expect(Object.entries(agentGates)).toEqual(
    [...gated(tables.agentRequests), ...gated(tables.agentNotifications)].sort(),
  );
  expect(Object.entries(clientGates)).toEqual(
    [...gated(tables.clientRequests), ...gated(tables.clientNotifications)].sort(),
  );
});
