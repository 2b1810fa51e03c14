import { posix } from "node:path";
import { repository } from "@acp-kit/configs/metadata";
import { type Page, pages } from "./pages.js";

/** Matches a link or an image of Markdown: its target without the fragment, and the fragment. */
const LINK = /(!?\[[^\]\n]*\]\()([^)\s#]*)(#[^)\s]*)?(\))/g;

/**
 * Returns the Markdown of a page with links that work on the site. A link to a file that is a page leads to that page,
 * a link to a picture to the folder of pictures, and any other link to the repository on GitHub.
 */
export function rewriteLinks(markdown: string, page: Page, shown: readonly Page[] = pages): string {
  const lines = markdown.split("\n");
  let isCode = false;
  return lines
    .map((line) => {
      if (line.startsWith("```")) isCode = !isCode;
      return isCode
        ? line
        : line.replace(LINK, (...[, open, target, fragment = "", close]) => {
            return `${open}${addressOf(target, fragment, page, shown)}${close}`;
          });
    })
    .join("\n");
}

function addressOf(target: string, fragment: string, page: Page, shown: readonly Page[]): string {
  const file = fileOf(target, page);
  if (file === undefined || target === "") return target + fragment;
  const other = shown.find((candidate) => candidate.file === file || candidate.file === `${file}/README.md`);
  if (other !== undefined) return `/${other.path}${fragment}`;
  if (file.endsWith(".svg") || file.endsWith(".png")) return `/pictures/${posix.basename(file)}`;
  return `${repository}/blob/main/${file}${fragment}`;
}

/**
 * The base URL of the repository's raw files. READMEs of packages use it for pictures, so that package registries can
 * show them.
 */
const rawFiles = `${repository.replace("https://github.com/", "https://raw.githubusercontent.com/")}/main/`;

/** Returns the file of the repository to which a link leads, or `undefined` for a link to another site. */
function fileOf(target: string, page: Page): string | undefined {
  const prefix = [`${repository}/blob/main/`, rawFiles].find((each) => target.startsWith(each));
  if (prefix !== undefined) return target.slice(prefix.length);
  if (/^\w+:/.test(target) || target.startsWith("/")) return undefined;
  return posix.normalize(posix.join(posix.dirname(page.file), target)).replace(/\/$/, "");
}

/** Returns the paths of a page's pictures in the repository. */
export function picturesOf(markdown: string, page: Page): string[] {
  const targets = [...markdown.matchAll(LINK)].map(([, , target = ""]) => fileOf(target, page));
  return targets.filter((file): file is string => file !== undefined && /\.(svg|png)$/.test(file));
}
