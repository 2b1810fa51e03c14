import type { RequestPermissionRequest } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { type Connected, connect, newSession, prompt, withSession } from "../test/connect.js";
import type { CallDecision } from "./call-decision.js";
import type { PermissionPolicy } from "./permit.js";
import type { ToolCallInit } from "./tool-call-handle.js";
import type { Turn } from "./turn.js";

interface Asked extends Connected {
  readonly questions: RequestPermissionRequest[];
  readonly permits: CallDecision[];
}

const edit: ToolCallInit = { title: "Fix", kind: "edit", name: "edit_file", locations: [{ path: "/work/a" }] };
const run = (rawInput?: unknown): ToolCallInit => ({ title: "Bash", kind: "execute", name: "Bash", rawInput });

/**
 * A session in which each prompt requests permission for a tool call, with the text of the prompt as policy. The calls
 * come in turn, the last again and again. The user chooses an option by its kind.
 */
async function asking(answers: readonly string[], calls: readonly ToolCallInit[] = [edit]): Promise<Asked> {
  const questions: RequestPermissionRequest[] = [];
  const permits: CallDecision[] = [];
  const left = [...answers];
  let turns = 0;
  const connected = await withSession({
    client: (peer) =>
      peer.handle("session/request_permission", (params) => {
        questions.push(params as RequestPermissionRequest);
        const kind = left.shift();
        const chosen = params.options.find((option) => option.kind === kind);
        return {
          outcome: chosen ? { outcome: "selected", optionId: chosen.optionId } : { outcome: "cancelled" },
        };
      }),
    definition: {
      prompt: async (turn: Turn) => {
        const call = turn.toolCall((calls[turns] ?? calls.at(-1)) as ToolCallInit);
        turns += 1;
        const permit = await turn.permit(call, turn.text as PermissionPolicy);
        permits.push(permit);
        await (permit.allowed ? call.complete() : call.fail("not allowed"));
      },
      closeSession: () => {},
    },
  });
  return { ...connected, questions, permits };
}

describe("a permit", () => {
  test.each([
    ["allow", { allowed: true, by: "policy" }],
    ["reject", { allowed: false, by: "policy" }],
  ] as const)("sends nothing when the policy says %s", async (policy, permit) => {
    const { peer, permits, questions } = await asking([]);
    await prompt(peer, policy);
    expect(permits).toEqual([permit]);
    expect(questions).toEqual([]);
  });

  test("PERM-03 offers the four standard kinds, and names the scope of always", async () => {
    const { peer, questions } = await asking(["allow_once"]);
    await prompt(peer, "ask");
    expect(questions[0]?.options.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([
      "allow_once: Allow",
      'allow_always: Always allow edit_file "/work/a" in this session',
      "reject_once: Reject",
      'reject_always: Always reject edit_file "/work/a" in this session',
    ]);
  });

  test.each([
    ["allow_always", true],
    ["reject_always", false],
  ])("PERM-12 doesn't prompt again after %s", async (kind, allowed) => {
    const { peer, permits, questions, connection } = await asking([kind]);
    await prompt(peer, "ask");
    await prompt(peer, "ask");
    expect(permits).toMatchObject([
      { allowed, by: "user", option: { kind } },
      { allowed, by: "remembered", option: undefined },
    ]);
    expect(questions).toHaveLength(1);
    expect(connection.session("s1").permissions.remembered).toEqual([{ scope: 'edit_file "/work/a"', allowed }]);
  });

  test.each<[string, ToolCallInit, ToolCallInit]>([
    ["another command", run({ command: "npm test" }), run({ command: "rm -rf ." })],
    ["one more member of the input", run({ command: "npm test" }), run({ command: "npm test", cwd: "/etc" })],
    ["another tool", run({ command: "ls" }), { ...run({ command: "ls" }), name: "Ssh" }],
    ["another file", edit, { ...edit, locations: [{ path: "/work/b" }] }],
    ["a second file", edit, { ...edit, locations: [{ path: "/work/a" }, { path: "/work/b" }] }],
    [
      "a diff of another file",
      { ...edit, content: [{ type: "diff", path: "/work/a", newText: "" }] },
      { ...edit, content: [{ type: "diff", path: "/work/b", newText: "" }] },
    ],
  ])("permissions.agent-always: an allowance does not cover %s", async (_, first, second) => {
    const { peer, permits } = await asking(["allow_always", "reject_once", "cancelled"], [first, second, first]);
    for (let turn = 0; turn < 3; turn += 1) await prompt(peer, "ask");
    expect(permits.map(({ by }) => by)).toEqual(["user", "user", "remembered"]);
  });

  test("permissions.agent-always: equal inputs are covered, whatever the order of their members", async () => {
    const calls = [run({ command: "ls", cwd: "/" }), run({ cwd: "/", command: "ls" })];
    const { peer, permits } = await asking(["allow_always"], calls);
    await prompt(peer, "ask");
    await prompt(peer, "ask");
    expect(permits[1]).toEqual({ allowed: true, by: "remembered" });
  });

  test.each<[string, ToolCallInit]>([
    ["only its tool", run()],
    ["an empty input", run({})],
    ["only the folder of a command", { ...run(), locations: [{ path: "/work" }] }],
  ])("permissions.agent-always: a call that says %s offers no always, and none is remembered", async (_, call) => {
    const { peer, questions, connection } = await asking(["allow_once"], [call]);
    await prompt(peer, "ask");
    expect(questions[0]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
    expect(connection.session("s1").permissions.remembered).toEqual([]);
  });

  test.each(["allow_once", "reject_once"])("prompts again after %s", async (kind) => {
    const { peer, questions, permits } = await asking([kind, "cancelled"]);
    await prompt(peer, "ask");
    await prompt(peer, "ask");
    expect(questions).toHaveLength(2);
    expect(permits[1]).toEqual({ allowed: false, by: "none" });
  });

  test("a remembered choice doesn't override a policy's deny", async () => {
    const { peer, permits } = await asking(["allow_always"]);
    await prompt(peer, "ask");
    await prompt(peer, "reject");
    expect(permits[1]).toEqual({ allowed: false, by: "policy" });
  });

  test("a remembered choice holds for its session only", async () => {
    const ids = ["s1", "s2"];
    const requested: string[] = [];
    const { peer } = await connect({
      client: (client) =>
        client.handle("session/request_permission", ({ sessionId }) => {
          requested.push(sessionId);
          return { outcome: { outcome: "selected", optionId: "allow_always" } };
        }),
      definition: {
        newSession: () => ({ sessionId: ids.shift() ?? "" }),
        prompt: async (turn) => void (await turn.permit(turn.toolCall(run({ command: "ls" })), "ask")),
      },
    });
    await newSession(peer);
    await newSession(peer);
    for (const sessionId of ["s1", "s1", "s2"]) {
      await peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
    }
    expect(requested).toEqual(["s1", "s2"]);
  });

  test("a client that disconnects permits nothing", async () => {
    const permits: CallDecision[] = [];
    const { peer } = await withSession({
      client: (client) =>
        client.handle("session/request_permission", () => {
          void client.connection.close();
          return new Promise<never>(() => {});
        }),
      definition: {
        prompt: async (turn) => void permits.push(await turn.permit(turn.toolCall({ title: "x" }))),
      },
    });
    await expect(prompt(peer)).rejects.toThrow();
    await expect.poll(() => permits).toEqual([{ allowed: false, by: "none" }]);
  });

  test("a client that sends the user's choice after its cancel permits nothing, and nothing is remembered", async () => {
    const permits: CallDecision[] = [];
    const allowed: boolean[] = [];
    const { peer, connection } = await withSession({
      client: (client) =>
        client.handle("session/request_permission", ({ sessionId }) => {
          void client.notify("session/cancel", { sessionId });
          return { outcome: { outcome: "selected", optionId: "allow_always" } };
        }),
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ title: "x" });
          if (turn.text === "permit") permits.push(await turn.permit(call));
          else allowed.push((await call.requestPermission()).allowed);
        },
      },
    });
    expect(await prompt(peer, "permit")).toEqual({ stopReason: "cancelled" });
    expect(await prompt(peer, "request")).toEqual({ stopReason: "cancelled" });
    expect(permits).toEqual([{ allowed: false, by: "none" }]);
    expect(connection.session("s1").permissions.remembered).toEqual([]);
    expect(allowed).toEqual([false]);
  });

  test("a policy receives the call", async () => {
    const permits: CallDecision[] = [];
    const { peer } = await withSession({
      definition: {
        prompt: async (turn) => {
          const policy: PermissionPolicy = ({ kind, locations }) =>
            kind === "read" && locations[0]?.path === "/a" ? "allow" : "reject";
          for (const path of ["/a", "/b"]) {
            const call = turn.toolCall({ title: "Read", kind: "read", locations: [{ path }] });
            permits.push(await turn.permit(call, policy));
            await call.complete();
          }
        },
      },
    });
    await prompt(peer);
    expect(permits.map(({ allowed }) => allowed)).toEqual([true, false]);
  });
});
