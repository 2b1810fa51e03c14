import { basename } from "node:path";
import { packages } from "@acp-kit/configs/packages";

/** A page of the site and the Markdown file of the repository that it shows. */
export interface Page {
  /** The path of the file, from the root of the repository. */
  readonly file: string;
  /** The path of the page on the site, without an extension. */
  readonly path: string;
}

/** A group of the sidebar. */
export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

const guide = (name: string): Page => ({ file: `docs/guides/${name}.md`, path: `guides/${name}` });

/** Every page, in the order of the sidebar. */
export const groups: readonly Group[] = [
  {
    title: "Begin",
    pages: [
      guide("getting-started"),
      guide("which-acp"),
      guide("both-versions"),
      guide("coming-from-the-official-sdk"),
    ],
  },
  { title: "Write an agent", pages: [guide("your-first-agent"), guide("your-agent-in-an-hour")] },
  {
    title: "Write a client",
    pages: [
      guide("build-a-client-in-60-lines"),
      guide("your-tools-in-any-agent"),
      guide("integrating-with-an-editor"),
      guide("a-chat-page-with-react"),
    ],
  },
  {
    title: "Host agents",
    pages: [
      guide("your-agent-on-the-web"),
      guide("host-an-agent-for-a-team"),
      guide("one-policy-for-every-agent"),
      guide("behind-a-proxy"),
    ],
  },
  {
    title: "Test and check",
    pages: [
      guide("record-and-replay"),
      guide("inspect-an-agent"),
      guide("conformance-in-ci"),
      { file: "docs/agents.md", path: "agents" },
      { file: "docs/conformance-report.md", path: "conformance-report" },
    ],
  },
  {
    title: "Follow the specification",
    pages: [{ file: "tools/schema-update/README.md", path: "schema-updates" }],
  },
  {
    title: "Understand",
    pages: [
      guide("cancellation-and-ordering"),
      guide("troubleshooting"),
      { file: "docs/limits.md", path: "limits" },
      { file: "docs/glossary.md", path: "glossary" },
      { file: "docs/promises.md", path: "promises" },
      { file: "bench/report.md", path: "performance" },
      { file: "docs/ARCHITECTURE.md", path: "architecture" },
    ],
  },
  {
    title: "Packages",
    pages: packages().map(({ directory }) => ({
      file: `packages/${basename(directory)}/README.md`,
      path: `packages/${basename(directory)}`,
    })),
  },
  {
    title: "Project",
    pages: [
      { file: "CONTRIBUTING.md", path: "contributing" },
      { file: "examples/README.md", path: "examples" },
      { file: "SUPPORT.md", path: "support" },
      { file: "SECURITY.md", path: "security" },
      { file: "CODE_OF_CONDUCT.md", path: "code-of-conduct" },
    ],
  },
];

export const pages: readonly Page[] = groups.flatMap((group) => group.pages);
