import { posix } from "node:path";
import { repository } from "@acp-kit/configs/metadata";
import { type Page, pages } from "./pages.js";

/** Links of Markdown: the target without its fragment, and the fragment. Images included. */
const LINK = /(!?\[[^\]\n]*\]\()([^)\s#]*)(#[^)\s]*)?(\))/g;

/**
 * The Markdown of a page with links that work on the site: those between shown files lead to their pages, all others into
 * the repository, pictures into the folder of pictures.
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

/** The file of the repository that a link leads to, if it leads into the repository. */
function fileOf(target: string, page: Page): string | undefined {
  const prefix = `${repository}/blob/main/`;
  if (target.startsWith(prefix)) return target.slice(prefix.length);
  if (/^\w+:/.test(target) || target.startsWith("/")) return undefined;
  return posix.normalize(posix.join(posix.dirname(page.file), target)).replace(/\/$/, "");
}

/** The pictures that a page shows, as files of the repository. */
export function picturesOf(markdown: string, page: Page): string[] {
  const targets = [...markdown.matchAll(LINK)].map(([, , target = ""]) => fileOf(target, page));
  return targets.filter((file): file is string => file !== undefined && /\.(svg|png)$/.test(file));
}
