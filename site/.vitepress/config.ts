import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gitHubAnchor } from "@acp-kit/configs/anchors";
import { repository } from "@acp-kit/configs/metadata";
import { root } from "@acp-kit/configs/packages";
import { defineConfig } from "vitepress";
import { groups, type Page } from "../src/pages.js";

/** Returns the text of the first heading, without backticks. */
function titleOf({ file }: Page): string {
  const [, heading = file] = /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  return heading.replaceAll("`", "");
}

export default defineConfig({
  title: "acp-kit",
  description: "The Agent Client Protocol (ACP) for TypeScript: write an agent, write a client, test both.",
  lang: "en",
  base: "/acp-kit/",
  srcDir: "pages",
  cleanUrls: true,
  lastUpdated: false,
  // The reference is built after the pages; `src/check-links.ts` checks the links of both.
  ignoreDeadLinks: [/^\/reference\//],
  // Shiki, the syntax highlighter, has no grammar for Caddyfiles, so they get the grammar of nginx.
  markdown: { anchor: { slugify: gitHubAnchor }, languageAlias: { caddyfile: "nginx" } },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/guides/getting-started" },
      { text: "Reference", link: "/reference/index.html", target: "_self" },
      { text: "Promises", link: "/promises" },
      { text: "Performance", link: "/performance" },
    ],
    sidebar: groups.map(({ title, pages }) => ({
      text: title,
      collapsed: title === "Packages" || title === "Project",
      items: pages.map((page) => ({ text: titleOf(page), link: `/${page.path}` })),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    editLink: { pattern: ({ frontmatter }) => frontmatter.edit },
  },
});
