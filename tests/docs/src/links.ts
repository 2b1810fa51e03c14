import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { gitHubAnchor } from "@acp-kit/configs/anchors";
import { repository } from "@acp-kit/configs/metadata";
import { root } from "@acp-kit/configs/packages";

/** A link of a Markdown file: its text in the file, its target without the fragment, and the fragment. */
export interface Link {
  readonly link: string;
  readonly target: string;
  readonly anchor: string | undefined;
}

const BLOCK = /^```[\s\S]*?^```$/gm;

/** Returns the inline links of a Markdown text, without those in code blocks. */
export function linksOf(markdown: string): Link[] {
  const links = markdown.replace(BLOCK, "").matchAll(/\[[^\]\n]*\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g);
  return [...links].map(([link, target = "", anchor]) => ({ link, target, anchor }));
}

/** Returns the links into the repository, relative or absolute, whose file or anchor doesn't exist. */
export function brokenLinks(path: string, markdown: string): string[] {
  const isBroken = ({ target, anchor }: Link): boolean => {
    const file = fileOf(target, path);
    if (file === undefined) return false;
    if (file !== path && !existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(file === path ? markdown : shown(file)).includes(anchor);
  };
  return linksOf(markdown)
    .filter(isBroken)
    .map(({ link }) => link);
}

/** The address of the repository's files themselves, for pictures. */
const rawFiles = `${repository.replace("https://github.com/", "https://raw.githubusercontent.com/")}/main/`;

/**
 * Returns the file of the repository that a link leads to, or `undefined` for other targets. The site's build checks
 * links to pages of our site.
 */
function fileOf(target: string, path: string): string | undefined {
  const absolute = [`${repository}/blob/main/`, rawFiles].find((each) => target.startsWith(each));
  if (absolute !== undefined) return target.slice(absolute.length);
  if (/^\w+:|^\//.test(target)) return undefined;
  return target === "" ? path : posix.normalize(posix.join(posix.dirname(path), target));
}

/** Returns the path of the Markdown that GitHub shows for a path: for a folder, its README. */
function shown(file: string): string {
  const path = join(root, file);
  return readFileSync(statSync(path).isDirectory() ? join(path, "README.md") : path, "utf8");
}

/** The anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    return gitHubAnchor(heading);
  });
}
