import { allow, permissionView, reject } from "@acp-kit/client";
import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import { describe, expect, it } from "vitest";
import { turn } from "../../test/bridged.js";
import { withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";

const options = [
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
];

async function request(params: object, decide: () => unknown = () => "allow_once", before: readonly object[] = []) {
  const requests: IncomingRequestPermissionRequest[] = [];
  const pair = await withSession({
    permissions: async (each) => {
      requests.push(each);
      return decide() as never;
    },
  });
  for (const update of before) sendUpdate(pair.agent, update);
  const id = pair.agent.request(
    "session/request_permission",
    { sessionId: "s", title: "May I?", options, ...params },
    { id: "p" },
  ).id;
  await turn();
  return {
    ...pair,
    request: requests[0] as IncomingRequestPermissionRequest,
    response: pair.agent.responseTo(id)?.result,
  };
}

describe("V2-REQ-21: a permission request", () => {
  it("about a tool call has the call with what the agent has said before, and the request's title if it has none", async () => {
    const subject = { type: "tool_call", toolCall: { toolCallId: "t1", kind: "edit" } };
    const known = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      title: "Edit a.ts",
      rawInput: { path: "/a.ts" },
    };
    const first = await request({ subject }, undefined, [known]);
    expect(first.request.toolCall).toMatchObject({ title: "Edit a.ts", kind: "edit", rawInput: { path: "/a.ts" } });
    expect(first.response).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
    const second = await request({ subject });
    expect(second.request.toolCall).toMatchObject({ toolCallId: "t1", title: "May I?" });
  });

  it("matches rules by every path of a diff, also of changes without a text", async () => {
    const changes = [
      { operation: "move", oldPath: "/work/.env", path: "/work/public/env.txt" },
      { operation: "delete", path: "/work/key.pem" },
    ];
    const subject = { type: "tool_call", toolCall: { toolCallId: "t1", content: [{ type: "diff", changes }] } };
    const { request: received } = await request({ subject });
    const context = { session: { sessionId: "s", roots: ["/work"] } } as never;
    for (const path of ["/work/.env", "/work/public/env.txt", "/work/key.pem"])
      expect(await reject({ touching: [path] }).decide(received, context)).toBe("reject_once");
    expect(await allow({ within: ["/work/public"] }).decide(received, context)).toBeUndefined();
  });

  it("about a command has a call that runs it", async () => {
    const subject = { type: "command", command: "rm -r build", cwd: "/work" };
    const { request: received } = await request({ subject, description: "Removes the output" });
    expect(received.toolCall).toMatchObject({
      toolCallId: "_acp-kit_permission_1",
      title: "May I?",
      kind: "execute",
      rawInput: { command: "rm -r build", cwd: "/work" },
    });
  });

  it.each([[undefined], [{ type: "_deploy", target: "prod" }]])(
    "about %j has a call with its title",
    async (subject) => {
      const { request: received } = await request({ ...(subject && { subject }), description: "To production" });
      expect(received.toolCall).toMatchObject({ title: "May I?" });
      expect(permissionView(received as never).parts).toContainEqual({ type: "content", text: "To production" });
    },
  );

  it("a description of a tool call is shown", async () => {
    const subject = { type: "tool_call", toolCall: { toolCallId: "t1" } };
    const { request: received } = await request({ subject, description: "Overwrites a.ts" });
    expect(permissionView(received as never).parts).toContainEqual({ type: "content", text: "Overwrites a.ts" });
  });

  it.each([[{ outcome: "selected", optionId: "other" }], [{ outcome: "_maybe" }]])(
    "the decision %j is no approval",
    async (decision) => {
      const { response } = await request({}, () => decision);
      expect((response as { outcome: { optionId?: string } } | undefined)?.outcome.optionId).not.toBe("yes");
    },
  );

  it("a cancelled request has the outcome cancelled", async () => {
    const { agent } = await request({}, () => new Promise(() => {}));
    agent.notify("$/cancel_request", { requestId: "p" });
    await turn();
    expect(agent.responseTo("p")?.result).toEqual({ outcome: { outcome: "cancelled" } });
  });
});
