import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built script and style of the page. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/**
 * Reads the built page. If this code runs from its TypeScript sources, the function reads the page of the last build.
 *
 * @throws {Error} when the package was not built.
 */
export function readPageFiles(): PageFiles {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const folder = [join(here, "../page"), join(here, "../../../dist/page")].find((each) =>
    existsSync(join(each, "page.js")),
  );
  if (folder === undefined) throw new Error("The inspector's page is missing: build @acp-kit/inspector first");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { script: read("page.js"), style: read("page.css") };
}

/** Returns the HTML document of the page. */
export function pageHtml(policy: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>ACP inspector</title>
${head}
</head>
<body>
<div id="root"></div>
${body}
</body>
</html>
`;
}
