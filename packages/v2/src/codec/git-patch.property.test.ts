import { quoteGitPath, unquoteGitPath } from "@acp-kit/protocol/internal";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readGitPatch } from "./read-git-patch.js";
import { writeGitPatch } from "./write-git-patch.js";

const line = fc.constantFrom("", "a", "b", "--- a", "+++ b", "@@ -1 +1 @@", "\\ No newline", "diff --git a b", "ü\r");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));
const path = fc
  .string({ unit: fc.constantFrom("a", " ", "ü", '"', "\\", "\t", "\n", "𝄞", ".") })
  .map((rest) => `/w/x${rest}y`);

it("a quoted path is ASCII on one line, and reads as it was", () => {
  fc.assert(
    fc.property(path, (original) => {
      const quoted = quoteGitPath(original);
      expect(quoted).toMatch(/^[\x20-\x7e]*$/);
      expect(unquoteGitPath(quoted)).toBe(original);
    }),
  );
});

it("quotes as Git does", () => {
  expect(quoteGitPath("/a b.ts")).toBe("/a b.ts");
  expect(quoteGitPath('/ü"\t')).toBe('"/\\303\\274\\"\\t"');
});

it("a written patch reads as one hunk that changes the old text to the new one", () => {
  fc.assert(
    fc.property(path, text, text, (name, oldText, newText) => {
      const patch = writeGitPatch(name, oldText, newText);
      if (oldText === newText) {
        expect(patch).toBeUndefined();
        return;
      }
      const [section, ...others] = readGitPatch(patch as string);
      expect(others).toEqual([]);
      expect(section).toMatchObject({ oldPath: name, newPath: name });
      const [hunk, ...more] = section?.hunks ?? [];
      expect(more).toEqual([]);
      const at = Number(/^@@ -(\d+)/m.exec((patch as string).split("\n").slice(3).join("\n"))?.[1]) - 1;
      const lines = oldText.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const before = lines.slice(0, Math.max(0, hunk?.oldText === "" ? at + 1 : at)).join("");
      expect(oldText.startsWith(before + hunk?.oldText)).toBe(true);
      expect(before + hunk?.newText + oldText.slice(before.length + (hunk?.oldText.length ?? 0))).toBe(newText);
    }),
    { numRuns: 500 },
  );
});

it("a new file reads as one without an old path", () => {
  fc.assert(
    fc.property(
      path,
      text.filter((content) => content !== ""),
      (name, content) => {
        expect(readGitPatch(writeGitPatch(name, undefined, content) as string)).toEqual([
          { oldPath: undefined, newPath: name, hunks: [{ oldText: "", newText: content }] },
        ]);
      },
    ),
  );
});

it("any text can be read", () => {
  fc.assert(fc.property(text, fc.string(), (lines, more) => void readGitPatch(`diff --git a b\n${lines}${more}`)));
});

it("reads what Git writes", () => {
  const patch = [
    "diff --git /old /new",
    "similarity index 50%",
    "rename from /old",
    "rename to /new",
    "index 1111111..2222222 100644",
    "--- /old",
    "+++ /new",
    "@@ -1,2 +1,2 @@ function a() {",
    " same",
    "-old",
    "\\ No newline at end of file",
    "+new",
    "@@ -10 +10,0 @@",
    "-gone",
    "diff --git /bin /bin",
    "deleted file mode 100644",
    "--- /bin",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    "",
  ].join("\n");
  expect(readGitPatch(patch)).toEqual([
    {
      oldPath: "/old",
      newPath: "/new",
      hunks: [
        { oldText: "same\nold", newText: "same\nnew\n" },
        { oldText: "gone\n", newText: "" },
      ],
    },
    { oldPath: "/bin", newPath: undefined, hunks: [{ oldText: "x\n", newText: "" }] },
  ]);
});
