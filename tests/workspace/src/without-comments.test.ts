import { withoutComments } from "@acp-kit/configs/without-comments";
import { expect, it } from "vitest";

it("replaces comments by spaces, and keeps every other character in its line and column", () => {
  const code = [
    "/** What",
    " * it says. */",
    "function greet(/* who */ name: string): string {",
    "  return name; // why",
    "}",
  ];
  const result = withoutComments(code.join("\n")).split("\n");
  expect(result.map((line) => line.trimEnd())).toEqual([
    "",
    "",
    "function greet(          name: string): string {",
    "  return name;",
    "}",
  ]);
});

it("keeps strings, templates and regular expressions that look like comments", () => {
  const lines = ["const a = '// a';", "const b = `/* b */ // b`;", "const c = /\\/\\/ c/;", "const d = 1 / 2 / 3;", ""];
  expect(withoutComments(lines.join("\n"))).toBe(lines.join("\n"));
});

it("keeps comments for other programs: the first line of a program, and annotations for bundlers", () => {
  const code = "#!/usr/bin/env node\nexport const decode = /* @__PURE__ */ decoder();\n";
  expect(withoutComments(code)).toBe(code);
});
