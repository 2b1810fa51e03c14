import { isRpcError } from "@acp-kit/agent";
import { expect, it } from "vitest";
import { answers } from "../../test/answers.js";
import { connectClient, everyCapability } from "../../test/client.js";

it("/mode switches after a permission request, and reports it as mode and as option", async () => {
  const { handle } = answers();
  await using client = await connectClient({ handle });
  const { updates } = await client.prompt(await client.newSession(), "/mode code");
  expect(updates).toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "code" });
  const options = updates.find((update) => update.sessionUpdate === "config_option_update")?.configOptions;
  expect(options).toContainEqual(expect.objectContaining({ id: "mode", currentValue: "code" }));
});

it("/mode keeps the mode when the user rejects", async () => {
  const answered = answers();
  answered.permission = "reject_once";
  await using client = await connectClient({ handle: answered.handle });
  const { updates } = await client.prompt(await client.newSession(), "/mode code");
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).not.toContain("current_mode_update");
});

it("/config changes the model and the option that depends on it", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  const { updates } = await client.prompt(session, "/config");
  const options = updates.find((update) => update.sessionUpdate === "config_option_update")?.configOptions;
  expect(options?.map(({ id, currentValue }) => [id, currentValue])).toEqual([
    ["mode", "ask"],
    ["model", "raven"],
    ["thinking", "high"],
  ]);
});

it("/commands makes the list longer, then shorter again", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  const listed = async (): Promise<number | undefined> => {
    const { updates } = await client.prompt(session, "/commands");
    return updates.find((update) => update.sessionUpdate === "available_commands_update")?.availableCommands.length;
  };
  const more = await listed();
  expect(await listed()).toBe((more ?? 0) - 1);
});

it("/compact reports the start, the summary and the end of one compaction", async () => {
  await using client = await connectClient({ capabilities: everyCapability });
  const session = await client.newSession();
  const { updates } = await client.prompt(session, "/compact");
  const compaction = updates.filter((update) => update.sessionUpdate.startsWith("compaction"));
  expect(compaction.map((update) => ("status" in update ? update.status : "chunk"))).toEqual([
    "in_progress",
    "chunk",
    "chunk",
    "completed",
  ]);
  const failed = await client.prompt(session, "/compact fail");
  expect(failed.updates).toContainEqual(expect.objectContaining({ status: "failed", error: expect.any(String) }));
});

it("/form requests every kind of property and shows the response", async () => {
  const { handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { text } = await client.prompt(await client.newSession(), "/form");
  expect(text).toContain('"name": "Ada"');
});

it("/url reports when the page is done, with the id of its request", async () => {
  const { asked, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const session = await client.newSession();
  await client.prompt(session, "/url");
  expect(asked).toEqual(["elicitation/create url", `elicitation/complete page_${session}_1`]);
});

it.each(["form", "url"])("/%s continues when the user declines", async (name) => {
  await using client = await connectClient({
    capabilities: everyCapability,
    handle: (peer) => peer.handle("elicitation/create", () => ({ action: "decline" })),
  });
  const { text } = await client.prompt(await client.newSession(), `/${name}`);
  expect(text).toBe("You chose: decline.");
});

it("/later sends updates after the response of the turn", async () => {
  await using client = await connectClient();
  const usage = client.next((update) => update.sessionUpdate === "usage_update");
  const { updates } = await client.prompt(await client.newSession(), "/later");
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).not.toContain("usage_update");
  expect(await usage).toMatchObject({ used: 4_000 });
});

it("/slow stops when it is cancelled, and the session continues", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  const turn = client.prompt(session, "/slow");
  await client.next((update) => update.sessionUpdate === "tool_call");
  await client.peer.notify("session/cancel", { sessionId: session });
  const { response, updates } = await turn;
  expect(response).toEqual({ stopReason: "cancelled" });
  expect(updates.at(-1)).toMatchObject({ sessionUpdate: "tool_call_update", status: "failed" });
  expect((await client.prompt(session, "/refuse")).response).toEqual({ stopReason: "refusal" });
});

it("/slow acknowledges prompts that are merged into the turn", async () => {
  await using client = await connectClient({ agent: { concurrentPrompts: "merge" } });
  const session = await client.newSession();
  const turn = client.prompt(session, "/slow 3600");
  await client.next((update) => update.sessionUpdate === "tool_call");
  const noted = client.next((update) => JSON.stringify(update).includes("Noted"));
  const second = client.peer.request("session/prompt", {
    sessionId: session,
    prompt: [{ type: "text", text: "Hurry" }],
  });
  await noted;
  await client.peer.notify("session/cancel", { sessionId: session });
  expect([(await turn).response, await second]).toEqual([{ stopReason: "cancelled" }, { stopReason: "cancelled" }]);
});

it("/error fails with the requested code, and sends no details of an internal error", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  const asked = await client.prompt(session, "/error 1001").catch((error: unknown) => error);
  expect(isRpcError(asked) && [asked.code, asked.data]).toEqual([1001, { asked: 1001 }]);
  const crashed = await client.prompt(session, "/error").catch((error: unknown) => error);
  expect(isRpcError(crashed) && [crashed.code, crashed.message]).toEqual([-32603, "Internal error"]);
});

it("/session shows the client's info and the session", async () => {
  await using client = await connectClient({ capabilities: { terminal: true } });
  const { sessionId } = await client.peer.request("session/new", {
    cwd: "/work",
    additionalDirectories: ["/lib"],
    mcpServers: [{ name: "tools", command: "/bin/tools", args: [], env: [{ name: "TOKEN", value: "secret" }] }],
  });
  const { text } = await client.prompt(sessionId, "/session");
  expect(JSON.parse(text.replaceAll(/```(json)?/g, ""))).toMatchObject({
    cwd: "/work",
    additionalDirectories: ["/lib"],
    mcpServers: [{ name: "tools", type: "stdio" }],
    client: { info: { name: "test" }, capabilities: { terminal: true } },
  });
  expect(text).not.toContain("secret");
});

it("/extension sends a notification, and a request to clients that announce it", async () => {
  await using shy = await connectClient();
  expect((await shy.prompt(await shy.newSession(), "/extension")).text).toContain(
    "I sent _acp-kit.dev/pong. To clients",
  );
  await using client = await connectClient({ capabilities: everyCapability });
  expect((await client.prompt(await client.newSession(), "/extension")).text).toContain("Are you there?");
});
