import { expect, it } from "vitest";
import { createPaint } from "./paint.js";
import { completeLength, renderMarkdown } from "./render-markdown.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken away
const plain = (line: string): string => line.replace(/\u001b\[[\d;]*m/g, "");
const shown = (text: string): string[] => renderMarkdown(text, { columns: 40, paint: createPaint(true) }).map(plain);

const readme = "```markdown\n# Title\n```bash\nnpm i\n```\nmore\n```";

it("one tilde strikes nothing through, two do", () => {
  expect(shown("takes 5~7 minutes, or 8~9")).toEqual(["takes 5~7 minutes, or 8~9"]);
  expect(renderMarkdown("~~gone~~", { columns: 40, paint: createPaint(true) })[0]).toContain("\u001b[9m");
});

it("a fence of Markdown contains the fences inside it", () => {
  const code = ["▏ markdown", "▏ # Title", "▏ ```bash", "▏ npm i", "▏ ```", "▏ more"];
  expect(shown(`${readme}\n\nAfter **it**`)).toEqual([...code, "", "After it"]);
  expect(shown(readme.replace("```bash", "~~~").replace("npm i\n```", "npm i\n~~~"))).toHaveLength(6);
  expect(shown("````md\n```\na\n```\n````\nb")).toEqual(["▏ md", "▏ ```", "▏ a", "▏ ```", "", "b"]);
});

it("a fence of Markdown that is not complete yet is one block", () => {
  for (let end = readme.indexOf("\n") + 1; end < readme.length; end++)
    expect(completeLength(readme.slice(0, end))).toBe(0);
});

it("other fences end at the first fence", () => {
  expect(shown("```\na\n```\nb")).toEqual(["▏ a", "", "b"]);
  expect(shown("```js\na\n```")).toEqual(["▏ js", "▏ a"]);
});
