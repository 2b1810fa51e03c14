import { withoutSpace } from "@acp-kit/configs/without-space";
import { expect, it } from "vitest";

it("takes comments and indentation, and leaves names and statements", async () => {
  const code =
    "/** What it says. */\nexport function greet(name) {\n  const text = `a\n  b`;\n  // why\n  return text + name;\n}\n";
  expect(await withoutSpace(code)).toBe("export function greet(name){const text=`a\n  b`;return text+name}\n");
});

it("keeps the marks by which bundlers drop code, wherever a line ends", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `decode${"x".repeat(index % 50)}${index}`);
  const code = names.map((name) => `const ${name} = /* @__PURE__ */ decoder("${name}");`).join("\n");
  const short = await withoutSpace(code);
  expect(short.match(/=\/\* @__PURE__ \*\/decoder\(/g)).toHaveLength(names.length);
  expect(short).not.toContain("__PURE__ in");
});

it("doesn't build what it can't keep", async () => {
  await expect(withoutSpace("class A extends /* @__PURE__ */ make() {}")).rejects.toThrow();
});
