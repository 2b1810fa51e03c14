import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { rewriteLinks } from "./rewrite-links.js";

/**
 * Returns the first page: `home.md`, with sections of the README in place of comments such as
 * `<!-- README.md: Try it -->`.
 */
export function homePage(): string {
  const text = readFileSync(join(root, "site", "home.md"), "utf8");
  return text.replace(/^<!-- README\.md: (.+) -->$/gm, (_, heading: string) => sectionOfReadme(heading));
}

function sectionOfReadme(heading: string): string {
  const readme = readFileSync(join(root, "README.md"), "utf8").replaceAll("\r\n", "\n");
  const section = readme.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`README.md has no section "${heading}"`);
  return rewriteLinks(section.trimEnd(), { file: "README.md", path: "" });
}
