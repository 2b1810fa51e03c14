import { RpcError } from "@acp-kit/protocol";
import type { KnownSessionUpdate, ToolKind } from "@acp-kit/types";
import { expect, it } from "vitest";
import { answers } from "../../test/answers.js";
import { connectClient, everyCapability, textOf } from "../../test/client.js";

type Told = Extract<KnownSessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;

const callsOf = (updates: readonly KnownSessionUpdate[]): Told[] =>
  updates.filter((update) => update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update");

it("/tools sends a call of every kind, through all its statuses", async () => {
  await using client = await connectClient();
  const { updates } = await client.prompt(await client.newSession(), "/tools");
  const lives = new Map<string, (string | null | undefined)[]>();
  const kinds: (ToolKind | null | undefined)[] = [];
  for (const { toolCallId, sessionUpdate, kind, status } of callsOf(updates)) {
    if (sessionUpdate === "tool_call") kinds.push(kind);
    lives.set(
      toolCallId,
      [...(lives.get(toolCallId) ?? []), status].filter((status) => status !== undefined),
    );
  }
  expect([...kinds].sort()).toEqual([
    "delete",
    "edit",
    "execute",
    "fetch",
    "move",
    "other",
    "read",
    "search",
    "switch_mode",
    "think",
  ]);
  const ends = [...lives.values()].map((life) => life.join(" "));
  expect(ends.filter((life) => life === "pending in_progress completed")).toHaveLength(8);
  expect(ends.filter((life) => life === "pending in_progress failed")).toHaveLength(2);
});

it("/read passes the requested lines, and shows the result", async () => {
  const { asked, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { updates, text } = await client.prompt(await client.newSession(), "/read a.txt 2 1");
  expect(asked).toEqual(["fs/read_text_file /work/a.txt 2 1"]);
  const [call, done] = callsOf(updates);
  expect(call).toMatchObject({ kind: "read", locations: [{ path: "/work/a.txt", line: 2 }] });
  expect(done).toMatchObject({ status: "completed", content: [{ content: { text: "one\ntwo\nthree\n" } }] });
  expect(text).toBe("a.txt has 14 characters.");
});

it("/read of a missing file fails the call, not the turn", async () => {
  await using client = await connectClient({ ...answers(), capabilities: everyCapability });
  const { response, updates, text } = await client.prompt(await client.newSession(), "/read none.txt");
  expect(response).toEqual({ stopReason: "end_turn" });
  expect(callsOf(updates).at(-1)).toMatchObject({
    status: "failed",
    content: [{ content: { text: "The client responded with an error: Resource not found (-32002)" } }],
  });
  expect(text).toBe("I could not read none.txt.");
});

it("/write writes through the client", async () => {
  const { files, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  await client.prompt(await client.newSession(), "/write b.txt two words");
  expect(files.get("/work/b.txt")).toBe("two words");
});

it("/edit shows a diff and writes it when the user allows it", async () => {
  const { asked, files, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { updates } = await client.prompt(await client.newSession(), "/edit a.txt");
  const newText = "one\ntwo\nthree\nOne more line, by the everything agent.\n";
  expect(callsOf(updates).find(({ kind }) => kind === "edit")).toMatchObject({
    status: "pending",
    content: [{ type: "diff", path: "/work/a.txt", oldText: "one\ntwo\nthree\n", newText }],
  });
  expect(asked).toEqual([
    "fs/read_text_file /work/a.txt - -",
    "session/request_permission",
    "fs/write_text_file /work/a.txt",
  ]);
  expect(files.get("/work/a.txt")).toBe(newText);
});

it("/edit does not replace a file that the client could not read", async () => {
  const { asked, files, handle } = answers();
  files.get = () => {
    throw new RpcError(-32603, "The file is locked");
  };
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { text } = await client.prompt(await client.newSession(), "/edit a.txt");
  expect(text).toBe("I could not read a.txt, so it stays as it is.");
  expect(asked).toEqual(["fs/read_text_file /work/a.txt - -"]);
});

it("/edit creates a missing file", async () => {
  const { files, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  await client.prompt(await client.newSession(), "/edit new.txt");
  expect(files.get("/work/new.txt")).toBe("One more line, by the everything agent.\n");
});

it.each(["reject_once", "cancelled"] as const)("/edit writes nothing when the outcome is %s", async (permission) => {
  const answered = answers();
  answered.permission = permission;
  await using client = await connectClient({ handle: answered.handle, capabilities: everyCapability });
  const { updates } = await client.prompt(await client.newSession(), "/edit a.txt");
  expect(answered.asked).not.toContain("fs/write_text_file /work/a.txt");
  expect(callsOf(updates).at(-1)).toMatchObject({ status: "failed" });
});

it.each([
  ["allow_always", 2],
  ["reject_always", 0],
] as const)("/edit remembers %s for the session and sends no further request", async (permission, writes) => {
  const answered = answers();
  answered.permission = permission;
  await using client = await connectClient({ handle: answered.handle, capabilities: everyCapability });
  const session = await client.newSession();
  await client.prompt(session, "/edit a.txt");
  await client.prompt(session, "/edit a.txt");
  expect(answered.asked.filter((method) => method === "session/request_permission")).toHaveLength(1);
  expect(answered.asked.filter((method) => method.startsWith("fs/write_text_file"))).toHaveLength(writes);
});

it("/permission shows which of the four kinds was chosen, by the option's id", async () => {
  for (const permission of ["allow_once", "allow_always", "reject_once", "reject_always"] as const) {
    const answered = answers();
    answered.permission = permission;
    await using client = await connectClient({ handle: answered.handle });
    const { text } = await client.prompt(await client.newSession(), "/permission");
    expect(text).toContain(`(${permission}), so it is ${permission.startsWith("allow") ? "allowed" : "not allowed"}`);
  }
});

it("/permission sends several requests at once by argument", async () => {
  let open = 0;
  let most = 0;
  let proceed = (): void => {};
  const all = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  await using client = await connectClient({
    handle: (peer) =>
      peer.handle("session/request_permission", async () => {
        open += 1;
        most = Math.max(most, open);
        if (open === 3) proceed();
        await all;
        open -= 1;
        return { outcome: { outcome: "selected", optionId: "yes" } };
      }),
  });
  const { text } = await client.prompt(await client.newSession(), "/permission 3");
  expect(most).toBe(3);
  expect(text.match(/is allowed/g)).toHaveLength(3);
});

it("/run creates a terminal, shows it, waits for its exit and releases it", async () => {
  const { asked, created, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { updates, text } = await client.prompt(await client.newSession(), `/run npm test "two words"`);
  expect(created).toMatchObject([{ command: "npm", args: ["test", "two words"], cwd: "/work" }]);
  expect(asked).toEqual(["terminal/create", "terminal/wait_for_exit", "terminal/release"]);
  const contents = callsOf(updates).flatMap(({ content }) => content ?? []);
  expect(contents).toContainEqual({ type: "terminal", terminalId: "t1" });
  expect(callsOf(updates).at(-1)).toMatchObject({
    status: "completed",
    rawOutput: { output: "line 1\n", exitCode: 0 },
  });
  expect(text).toBe("The command ended with exit code 0.");
});

it("/timeout kills a terminal, reads its output and releases it", async () => {
  const { asked, handle } = answers();
  await using client = await connectClient({ handle, capabilities: everyCapability });
  const { updates } = await client.prompt(await client.newSession(), "/timeout 1");
  expect(asked).toEqual(["terminal/create", "terminal/wait_for_exit", "terminal/kill", "terminal/release"]);
  expect(callsOf(updates).at(-1)).toMatchObject({
    status: "failed",
    rawOutput: { output: "line 1\n", signal: "SIGTERM", timedOut: true },
  });
});

it("/run releases its terminal when the turn is cancelled", async () => {
  const { asked, handle } = answers();
  await using client = await connectClient({
    capabilities: everyCapability,
    handle(peer) {
      handle(peer);
      peer.handle("terminal/wait_for_exit", () => new Promise(() => {}));
    },
  });
  const session = await client.newSession();
  const turn = client.prompt(session, "/run");
  await client.next((update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
  await client.peer.notify("session/cancel", { sessionId: session });
  const { response, updates } = await turn;
  expect(response).toEqual({ stopReason: "cancelled" });
  expect(asked).toContain("terminal/release");
  expect(callsOf(updates).at(-1)).toMatchObject({ status: "failed" });
  expect(textOf(updates)).toBe("");
});
