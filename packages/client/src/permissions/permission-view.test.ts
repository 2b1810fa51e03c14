import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { optionOfKey, permissionKeys, wrongKeyText } from "./permission-keys.js";
import { type PermissionPart, permissionView, permissionViewText } from "./permission-view.js";

const parts = (call: Partial<IncomingToolCallUpdate>): readonly PermissionPart[] =>
  permissionView({ toolCall: { toolCallId: "t", ...call } }).parts;
const text = (words: string): NonNullable<IncomingToolCallUpdate["content"]> => [
  { type: "content", content: { type: "text", text: words } },
];

describe("permissions.one-question: what a question shows", () => {
  test.each<[string, Partial<IncomingToolCallUpdate>, string]>([
    ["command", { rawInput: { command: "ls -l" } }, "ls -l"],
    ["cmd", { rawInput: { cmd: "ls" } }, "ls"],
    ["a list of words", { rawInput: { command: ["bash", "-lc", "ls -l"] } }, 'bash -lc "ls -l"'],
    ["a command with args", { rawInput: { command: "node", args: ["-e", "a b"] } }, 'node -e "a b"'],
    ["a text", { kind: "execute", rawInput: "ls" }, "ls"],
  ])("the command of %s, once", (_, call, command) => {
    expect(parts(call)).toEqual([{ type: "command", text: command }]);
    expect(parts({ ...call, content: text(`\`\`\`sh\n${command}\n\`\`\``) })).toHaveLength(1);
  });

  test("everything in its order, each text once", () => {
    const call: Partial<IncomingToolCallUpdate> = {
      locations: [{ path: "/a" }, { path: "/b", line: 2 }],
      content: [
        { type: "content", content: { type: "text", text: "Why" } },
        { type: "diff", path: "/a", oldText: "1", newText: "2" },
      ],
      rawInput: { file_path: "/a", old_string: "1", new_string: "2", why: "Why", next: { run: "rm" } },
    };
    expect(parts(call)).toEqual([
      { type: "diff", path: "/a", oldText: "1", newText: "2" },
      { type: "place", path: "/b", line: 2 },
      { type: "content", text: "Why" },
      { type: "input", text: '{\n  "next": {\n    "run": "rm"\n  }\n}' },
    ]);
  });

  test("a second command, and input that is no object", () => {
    expect(parts({ rawInput: { command: "ls", cmd: "rm -rf ." } })).toEqual([
      { type: "command", text: "ls" },
      { type: "input", text: '{\n  "cmd": "rm -rf ."\n}' },
    ]);
    expect(parts({ rawInput: ["a"] })).toEqual([{ type: "input", text: '[\n  "a"\n]' }]);
    expect(parts({ rawInput: {} })).toEqual([]);
  });

  test("as one text for a simple dialog, without escape sequences", () => {
    const call: IncomingToolCallUpdate = {
      ...{ toolCallId: "t", title: "Run\u001b[2J", locations: [{ path: "/b", line: 2 }] },
      content: [{ type: "diff", path: "/a", oldText: "1\n2\n3", newText: "1\n\u202e\n3" }],
      rawInput: { command: "ls\t-l\r\nrm" },
    };
    expect(permissionViewText(permissionView({ toolCall: call }))).toBe(
      "Run\ufffd[2J\n$ ls    -l\nrm\n/a\n- 2\n+ \ufffd\n/b:2",
    );
  });

  test("the title, or what else is known", () => {
    const title = (call: object): string => permissionView({ toolCall: { toolCallId: "t", ...call } }).title;
    expect([
      title({ title: "Run" }),
      title({ name: "Bash" }),
      title({ kind: "edit" }),
      title({ kind: "other" }),
    ]).toEqual([...["Run", "Bash", "edit", "t"]]);
  });
});

describe("permissions.one-question: the keys", () => {
  const options = [
    { optionId: "n", name: "Yes", kind: "allow_once" },
    { optionId: "y", name: "Always", kind: "allow_always" },
    { optionId: "3", name: "Yes, too", kind: "allow_once" },
    { optionId: "a", name: "No", kind: "reject_once" },
    { optionId: "b", name: "Never", kind: "reject_always" },
    { optionId: "c", name: "?", kind: "constructor" as never },
  ] as const;

  test("are letters by the kind of the option, and numbers", () => {
    expect(permissionKeys(options).map(({ key }) => key)).toEqual(["y", "a", "3", "n", "d", "6"]);
    const chosen = (typed: string): string | undefined => optionOfKey(options, typed)?.name;
    expect(["y", "A", " n ", "d", "1", "3", "6"].map(chosen)).toEqual([
      ...["Yes", "Always", "No", "Never", "Yes", "Yes, too", "?"],
    ]);
    expect(["x", "", "0", "7", "b"].map(chosen)).toEqual(Array(5).fill(undefined));
  });

  test("a wrong one is explained", () => {
    expect(wrongKeyText(permissionKeys(options), "x")).toBe('"x" chooses nothing. The keys are y, a, n, d, 1–6.');
    expect(wrongKeyText([{ key: "y" }], "")).toBe("This key chooses nothing. The keys are y, 1.");
  });
});
