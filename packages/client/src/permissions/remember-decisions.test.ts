import type { IncomingRequestPermissionRequest, IncomingToolCallUpdate, PermissionOption } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import type { PermissionContext } from "./permission-rule.js";
import { rememberDecisions } from "./remember-decisions.js";

const all: PermissionOption[] = (["reject_always", "allow_always", "reject_once", "allow_once"] as const).map(
  (kind) => ({ optionId: `id of ${kind}`, name: kind, kind }),
);

function asking(
  call: Partial<IncomingToolCallUpdate>,
  options = all,
  sessionId = "s1",
): IncomingRequestPermissionRequest {
  return { sessionId, toolCall: { toolCallId: "t", ...call }, options };
}

const context = {
  session: { roots: ["/work", "/more"] },
  signal: new AbortController().signal,
} as unknown as PermissionContext;

const at = (...paths: string[]): Partial<IncomingToolCallUpdate> => ({ locations: paths.map((path) => ({ path })) });

describe("remembered decisions", () => {
  const chosen = (kind: PermissionOption["kind"], request: IncomingRequestPermissionRequest) =>
    ({
      sessionId: request.sessionId,
      toolCallId: "t",
      title: request.toolCall.title ?? undefined,
      kind: undefined,
      paths: [],
      outcome: { outcome: "selected" as const, optionId: `id of ${kind}` },
      option: all.find((option) => option.kind === kind),
      by: { type: "person" as const, rule: "askUser", person: "user" },
      requestedAt: 0,
      decidedAt: 5,
    }) as const;
  const byKind = ({ toolCall }: IncomingRequestPermissionRequest): string | undefined => toolCall.kind ?? undefined;
  const npmTest = { kind: "execute" as const, title: "npm test", rawInput: { command: "npm test", cwd: "/work" } };

  test("the same call in the same session doesn't prompt again", async () => {
    const rule = rememberDecisions();
    const request = asking(npmTest);
    expect(await rule.decide(request, context)).toBeUndefined();
    rule.onDecision?.(chosen("allow_always", request), request, context);
    expect(await rule.decide(request, context)).toBe("allow_once");
    const turnedRound = { ...npmTest, rawInput: { cwd: "/work", command: "npm test" } };
    expect(await rule.decide(asking(turnedRound), context)).toBe("allow_once");
  });

  const remembered = async (
    first: Partial<IncomingToolCallUpdate>,
    then = first,
    where = context,
  ): Promise<boolean> => {
    const rule = rememberDecisions({ scope: "everywhere" });
    rule.onDecision?.(chosen("allow_always", asking(first)), asking(first), context);
    return (await rule.decide(asking(then), where)) === "allow_once";
  };
  const text = (words: string): Partial<IncomingToolCallUpdate> => ({
    content: [{ type: "content", content: { type: "text", text: words } }],
  });
  const diff = (path: string, newText: string): Partial<IncomingToolCallUpdate> => ({
    content: [{ type: "diff", path, oldText: "", newText }],
  });
  const bash = { title: "Bash", kind: "execute", name: "Bash" } as const;

  test.each<[string, Partial<IncomingToolCallUpdate>]>([
    ["only its tool", bash],
    ["an empty input", { ...bash, rawInput: {} }],
    ["a sentence that may be the same for all calls", { ...bash, ...text("Do you want to run this command?") }],
    ["only the folder of a command", { ...bash, ...at("/work") }],
    ["only the folder of a search", { kind: "search", title: "Grep", ...at("/work") }],
    ["the files of a move, but not which is which", { kind: "move", title: "Move", ...at("/work/a", "/work/b") }],
    ["a terminal, whose id the agent chose", { ...bash, content: [{ type: "terminal", terminalId: "t1" }] }],
  ])("permissions.always-names: a request that names %s is not remembered", async (_, call) => {
    expect(await remembered(call)).toBe(false);
  });

  const edit = { kind: "edit", title: "Edit", ...at("/work/a.md") } as const;
  const input = { file_path: "/work/a.md", old_string: "a", new_string: "b" };
  test.each<[string, Partial<IncomingToolCallUpdate>, Partial<IncomingToolCallUpdate>]>([
    ["the same command", { ...bash, rawInput: { command: "ls" } }, { ...bash, rawInput: { command: "ls" } }],
    ["the same command in the content", { ...bash, ...text("Run `ls`?") }, { ...bash, ...text("Run `ls`?") }],
    ["another change of the file", { ...edit, rawInput: input }, { ...edit, rawInput: { ...input, new_string: "c" } }],
    ["another diff of the file", { kind: "edit", ...diff("/work/a", "1") }, { kind: "edit", ...diff("/work/a", "2") }],
    [
      "another part of the file",
      { kind: "read", ...at("/work/a"), rawInput: { path: "/work/a", offset: 1 } },
      { kind: "read", ...at("/work/a"), rawInput: { path: "/work/a", offset: 9 } },
    ],
  ])("permissions.always-names: an allowance covers %s", async (_, first, then) => {
    expect(await remembered(first, then)).toBe(true);
  });

  test.each<[string, Partial<IncomingToolCallUpdate>, Partial<IncomingToolCallUpdate>]>([
    [
      "a command that begins the same",
      { ...bash, rawInput: { command: "ls" } },
      { ...bash, rawInput: { command: "ls && rm -rf ." } },
    ],
    [
      "a second key for the command",
      { ...bash, rawInput: { command: "ls" } },
      { ...bash, rawInput: { command: "ls", cmd: "rm -rf ." } },
    ],
    [
      "another environment",
      { ...bash, rawInput: { command: "ls" } },
      { ...bash, rawInput: { command: "ls", env: { PATH: "." } } },
    ],
    [
      "the same title with another input",
      { ...bash, rawInput: { command: "ls" } },
      { ...bash, rawInput: { command: "LS" } },
    ],
    [
      "other words that look the same",
      { ...bash, rawInput: { command: "caf\u00e9" } },
      { ...bash, rawInput: { command: "cafe\u0301" } },
    ],
    ["another command in the content", { ...bash, ...text("Run `ls`?") }, { ...bash, ...text("Run `rm -rf .`?") }],
    ["another path", edit, { ...edit, ...at("/work/a.md", "/work/b.md") }],
    ["another spelling of a path", edit, { ...edit, ...at("/work/x/../a.md") }],
    ["another case of a path", edit, { ...edit, ...at("/work/A.md") }],
    [
      "the same location with another file in the input",
      { ...edit, rawInput: input },
      { ...edit, rawInput: { ...input, file_path: "/etc/passwd" } },
    ],
    [
      "one more member of the input",
      { ...edit, rawInput: input },
      { ...edit, rawInput: { ...input, also: "/etc/passwd" } },
    ],
    [
      "another diff of a call that is no edit",
      { kind: "other", ...diff("/work/a", "1") },
      { kind: "other", ...diff("/work/a", "2") },
    ],
    ["another tool", { ...bash, rawInput: { command: "ls" } }, { ...bash, name: "Ssh", rawInput: { command: "ls" } }],
  ])("permissions.always-names: an allowance does not cover %s", async (_, first, then) => {
    expect(await remembered(first)).toBe(true);
    expect(await remembered(first, then)).toBe(false);
  });

  test("permissions.always-names: an allowance does not cover the same words in another working directory", async () => {
    const elsewhere = { ...context, session: { roots: ["/other"] } } as unknown as PermissionContext;
    const relative = { kind: "edit", ...at("notes.md") } as const;
    expect(await remembered(relative)).toBe(true);
    expect(await remembered(relative, relative, elsewhere)).toBe(false);
  });

  test.each<[Partial<IncomingToolCallUpdate>, string]>([
    [{ ...bash, rawInput: { command: "git status", timeout: 5 } }, 'git status, {\n  "timeout": 5\n}'],
    [{ ...edit, rawInput: input }, "/work/a.md"],
    [{ ...bash, ...text("Run `ls`?") }, "Run `ls`?"],
  ])("permissions.always-names: a choice shows the user what it covers", (call, covers) => {
    const rule = rememberDecisions();
    rule.onDecision?.(chosen("allow_always", asking(call)), asking(call), context);
    expect(rule.decisions.snapshot).toMatchObject([{ covers }]);
  });

  test("a rejection that no user chose is not remembered", () => {
    const rule = rememberDecisions();
    const by = { type: "none", reason: "undecided" } as const;
    rule.onDecision?.({ ...chosen("reject_always", asking(npmTest)), by }, asking(npmTest), context);
    expect(rule.decisions.snapshot).toEqual([]);
  });

  test("another command, another file or another session prompts again", async () => {
    const rule = rememberDecisions();
    rule.onDecision?.(chosen("allow_always", asking(npmTest)), asking(npmTest), context);
    const other = { ...npmTest, rawInput: { command: "rm -rf /" } };
    expect(await rule.decide(asking(other), context)).toBeUndefined();
    expect(await rule.decide(asking(npmTest, all, "s2"), context)).toBeUndefined();
    expect(await rule.decide(asking({ ...npmTest, ...at("/etc") }), context)).toBeUndefined();
  });

  test("a choice for once is not remembered, nor a call without kind, title and paths", async () => {
    const rule = rememberDecisions();
    rule.onDecision?.(chosen("allow_once", asking(npmTest)), asking(npmTest), context);
    rule.onDecision?.(chosen("allow_always", asking({})), asking({}), context);
    expect(rule.decisions.snapshot).toEqual([]);
  });

  test("a rejection wins", async () => {
    const rule = rememberDecisions({ scope: "everywhere" });
    rule.onDecision?.(chosen("reject_always", asking(npmTest)), asking(npmTest), context);
    expect(await rule.decide(asking(npmTest), context)).toBe("reject");
  });

  test("survives as JSON, with its scope, and can be forgotten", async () => {
    const first = rememberDecisions({ scope: "workspace", key: byKind });
    first.onDecision?.(chosen("allow_always", asking(npmTest)), asking(npmTest), context);
    expect(first.decisions.snapshot).toEqual([
      { decision: "allow", scope: "workspace", of: "/work", key: "execute", title: "npm test", since: 5 },
    ]);
    const second = rememberDecisions({ decisions: JSON.parse(JSON.stringify(first.decisions.snapshot)), key: byKind });
    const ls = { kind: "execute" as const, title: "ls" };
    expect(await second.decide(asking(ls, all, "s9"), context)).toBe("allow_once");
    const elsewhere = { ...context, session: { roots: ["/other"] } } as unknown as PermissionContext;
    expect(await second.decide(asking(ls), elsewhere)).toBeUndefined();
    const [choice] = second.decisions.snapshot;
    if (choice) second.forget(choice);
    expect(await second.decide(asking(ls), context)).toBeUndefined();
  });
});
