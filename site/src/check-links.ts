import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { filesBelow } from "@acp-kit/configs/files";
import { repository } from "@acp-kit/configs/metadata";
import { isOnGitHub } from "./on-github.js";

/** A link of a built page whose target does not exist. */
export interface BrokenLink {
  readonly page: string;
  readonly target: string;
}

/**
 * Returns the links of a built site whose page, anchor or file in the repository does not exist. Links to other sites
 * are not checked.
 *
 * @param base - the path below which the site is published, with slashes at both ends
 */
export function brokenLinks(folder: string, base: string): BrokenLink[] {
  const pages = htmlFiles(folder);
  const ids = new Map<string, Set<string>>();
  const idsOf = (page: string) => {
    const known =
      ids.get(page) ??
      new Set(
        [...readFileSync(join(folder, page), "utf8").matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id),
      );
    ids.set(page, known);
    return known;
  };
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8");
    const targets = new Set(
      [...text.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, target = ""]) => target.replaceAll("&amp;", "&")),
    );
    return [...targets].filter((target) => isBroken(target, page)).map((target) => ({ page, target }));
  });

  function isBroken(target: string, page: string): boolean {
    const [, inRepository] = target.split(new RegExp(`^${repository}/(?:blob|tree|edit)/main/`));
    if (inRepository !== undefined) return !isOnGitHub(decodeURIComponent(inRepository.replace(/[#?].*$/, "")));
    if (/^[a-z]+:/i.test(target)) return false;
    const [path = "", fragment = ""] = target.split("#");
    const file = fileOf(decodeURIComponent(path), page);
    if (file === undefined) return true;
    return fragment !== "" && file.endsWith(".html") && !idsOf(file).has(decodeURIComponent(fragment));
  }

  function fileOf(path: string, page: string): string | undefined {
    if (path === "") return page;
    if (path.startsWith("/") && !path.startsWith(base)) return undefined;
    const plain = path.startsWith("/") ? path.slice(base.length) : posix.join(posix.dirname(page), path);
    const candidates = [plain, `${plain}.html`, posix.join(plain, "index.html")];
    return candidates.find((file) => existsSync(join(folder, file)) && statSync(join(folder, file)).isFile());
  }
}

function htmlFiles(folder: string): string[] {
  return filesBelow(folder).filter((path) => path.endsWith(".html"));
}
