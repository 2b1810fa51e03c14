import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { repository } from "@acp-kit/configs/metadata";
import { root } from "@acp-kit/configs/packages";
import { homePage } from "./home-page.js";
import { pages } from "./pages.js";
import { picturesOf, rewriteLinks } from "./rewrite-links.js";

const folder = join(root, "site", "pages");

/** Writes the Markdown that VitePress reads, from the files of the repository. */
export function preparePages(): void {
  const missing = readdirSync(join(root, "docs", "guides")).filter(
    (name) => !pages.some(({ file }) => file === `docs/guides/${name}`),
  );
  if (missing.length > 0)
    throw new Error(`site/src/pages.ts lists every page, but not ${missing.join(", ")} of docs/guides.`);
  rmSync(folder, { recursive: true, force: true });
  write("index.md", homePage());
  cpSync(join(root, "docs", "pictures"), join(folder, "public", "pictures"), { recursive: true });
  for (const page of pages) {
    const markdown = readFileSync(join(root, page.file), "utf8").replaceAll("\r\n", "\n");
    write(
      `${page.path}.md`,
      `---\nedit: ${repository}/edit/main/${page.file}\n---\n\n${escapeTemplates(rewriteLinks(markdown, page))}`,
    );
    for (const picture of picturesOf(markdown, page)) {
      const target = join(folder, "public", "pictures", basename(picture));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(root, picture), target);
    }
  }
}

/** Escapes `{{`, because VitePress would read `{{ … }}` in text as a Vue template. */
const escapeTemplates = (markdown: string) => markdown.replaceAll("{{", "&#123;&#123;");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

if (process.argv[1] === import.meta.filename) preparePages();
