import { permissionView } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { createPaint } from "../text/paint.js";
import { type PermissionText, permissionText } from "./permission-text.js";

const canvas = { columns: 60, paint: createPaint(false) };

function textOf(toolCall: object, maxLines = 12): PermissionText {
  return permissionText(permissionView({ toolCall: { toolCallId: "t", ...toolCall } }), "/work", canvas, maxLines);
}

describe("permissions.one-question: the text of a question", () => {
  it("has the command, the places, the content and the rest of the input, without escape sequences", () => {
    const { title, lines, all } = textOf({
      title: "Tidy\u001b[2J up /work/src",
      locations: [{ path: "/work/src/a.ts", line: 3 }],
      content: [{ type: "content", content: { type: "text", text: "All \u001b]0;x\u0007files" } }],
      rawInput: { command: "git clean -xdf \u001b[31m&&\nrm -rf notes", timeout: 5 },
    });
    expect(title).toBe("Tidy up src");
    expect(lines).toEqual([
      "  $ git clean -xdf &&",
      "    rm -rf notes",
      "  src/a.ts:3",
      "  All files",
      "  input: {",
      '           "timeout": 5',
      "         }",
    ]);
    expect(all).toBeUndefined();
  });

  it("has the diff first", () => {
    const { lines } = textOf({ content: [{ type: "diff", path: "/work/a", oldText: "one\n", newText: "two\n" }] });
    expect(lines).toEqual(["  a", "  1 - one", "  1 + two"]);
  });

  it("says how many lines are missing, and has all of them on demand", () => {
    const { lines, all } = textOf({ title: "Run", rawInput: { command: `${"true\n".repeat(99)}rm -rf /` } }, 3);
    expect(lines).toEqual(["  $ true", "    true", "    true", "  … 97 more lines; v shows everything"]);
    expect(all?.()).toHaveLength(101);
    expect(all?.().at(-1)).toBe("    rm -rf /");
  });

  it("says how large a text is that is not laid out for the question, and has all of it on demand", () => {
    const { lines, all } = textOf({ rawInput: { command: `${"x".repeat(200_000)} rm` } }, 3);
    expect(lines.at(-1)).toBe("  … 200003 characters altogether; v shows everything");
    expect(all?.().join("").replaceAll(" ", "")).toMatch(/^t\$x{200000}rm$/);
    const diff = textOf({ content: [{ type: "diff", path: "/work/a", newText: `${"y".repeat(200_000)}\nlast` }] }, 3);
    expect(diff.all?.().at(-1)).toBe("  + last");
  });

  it("has the whole title on demand, if it is cut in the question", () => {
    const { title, all } = textOf({ title: `${"a ".repeat(400)}end` });
    expect(title).toContain("more characters");
    expect(all?.().join(" ")).toMatch(/end$/);
  });
});
