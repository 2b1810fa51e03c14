import type { TapEvent } from "@acp-kit/protocol";
import { describe, expect, it } from "vitest";
import { connect, transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";

const secret = "hunter2";
const failing = (): never => {
  throw Object.assign(new Error(`ENOENT: no such file /home/me/.config/token=${secret}`), {
    data: { secret },
    code: 42,
  });
};

describe.each(transports)("over %s", (kind) => {
  it("secret.errors-say-nothing: an error of the agent is -32603 without details on the wire, and complete in its own diagnostic", async () => {
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const { error } = await peer.request("session/prompt", promptOf("fail"));
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(JSON.stringify(peer.received.items)).not.toMatch(/hunter2|ENOENT|\bat .*:\d+:\d+|node_modules/);
    await peer.received.until(({ params }) => params?.what === "diagnostic handler_failed");
  });

  it("secret.errors-say-nothing: an error of the client is -32603 without details on the wire", async () => {
    const causes: unknown[] = [];
    await using agent = await connectRaw(kind, {
      files: { readTextFile: failing, writeTextFile: async () => failing() },
      terminals: {
        createTerminal: failing,
        terminalOutput: failing,
        waitForTerminalExit: failing,
        killTerminal: failing,
        releaseTerminal: failing,
      },
      permissions: async () => failing(),
      elicitation: { form: failing },
      onDiagnostic: ({ cause }) => causes.push(cause),
    });
    await agent.client.newSession({ cwd: "/work" });
    const calls: [string, object][] = [
      ["fs/read_text_file", { path: "/a" }],
      ["fs/write_text_file", { path: "/a", content: "" }],
      ["terminal/create", { command: "ls" }],
      ...["output", "wait_for_exit", "kill", "release"].map((name): [string, object] => [
        `terminal/${name}`,
        { terminalId: "t" },
      ]),
    ];
    for (const [method, params] of calls) {
      const { error } = await agent.peer.request(method, { sessionId: "s1", ...params });
      expect(error, method).toEqual({ code: -32603, message: "Internal error" });
    }
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const permission = { sessionId: "s1", toolCall: { toolCallId: "t" }, options };
    expect(await agent.peer.request("session/request_permission", permission)).toMatchObject({
      result: { outcome: { outcome: "cancelled" } }, // A permission handler that fails approves nothing.
    });
    const form = { sessionId: "s1", mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } };
    expect(await agent.peer.request("elicitation/create", form)).toMatchObject({ result: { action: "cancel" } });
    expect(JSON.stringify(agent.peer.received.items)).not.toMatch(/hunter2|ENOENT|\bat .*:\d+:\d+/);
    expect(causes).toHaveLength(calls.length + 2);
    for (const cause of causes) expect(cause).toMatchObject({ message: expect.stringContaining(secret) });
  });

  it("secret.taps-redact: a tap does not contain values of env and headers or tokens in _meta, unless its options allow it", async () => {
    const setup = {
      cwd: "/work",
      mcpServers: [
        { name: "m", command: "/m", args: [], env: [{ name: "TOKEN", value: secret }] },
        { type: "http" as const, name: "h", url: "https://h", headers: [{ name: "Authorization", value: secret }] },
      ],
      meta: { "vendor.com/apiKey": secret },
    };
    for (const tapSecrets of [false, true]) {
      const events: TapEvent[] = [];
      await using pair = await connect(kind, { tap: (event) => events.push(event), tapSecrets });
      await pair.client.newSession(setup);
      expect(JSON.stringify(events).includes(secret)).toBe(tapSecrets);
      expect(JSON.stringify(events)).toContain("Authorization");
    }
  });
});
