import { createHash } from "node:crypto";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Recording } from "@acp-kit/testing/recording";
import type { Mark } from "../marks/mark.js";
import { ruleMarks } from "../marks/rule-marks.js";
import { SchemaMarks } from "../marks/schema-marks.js";
import { pageHtml, readPageFiles } from "../page/page-files.js";

/** Options of {@link inspectorHtml}. */
export interface InspectorHtmlOptions {
  /** The title of the page; by default the names of the client and the agent. */
  readonly title?: string;
}

/**
 * Renders a recording as one self-contained HTML page: the page of the inspector without a connection. The page makes
 * no network request, and its content security policy allows only its own style and script, by their hashes.
 *
 * The page contains the recording as data and never as HTML, so that a recording of a hostile peer can be viewed
 * safely.
 */
export function inspectorHtml(recording: Recording, options: InspectorHtmlOptions = {}): string {
  checkOptions("inspectorHtml", options, optionKinds);
  const files = readPageFiles();
  // In HTML, `</script` in a string would end the script element.
  const script = files.script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(files.style)}'`,
    `script-src '${hashOf(script)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'", // the page can't parse a text as HTML
    "trusted-types 'none'",
  ].join("; ");
  const data = asScriptData({ ...recording, marks: marksOf(recording), title: options.title });
  return pageHtml(
    policy,
    `<style>${files.style}</style>`,
    `<script type="application/json" id="data">${data}</script>\n<script>${script}</script>`,
  );
}

const optionKinds: OptionKinds<InspectorHtmlOptions> = { title: "value" };

/** Returns the marks of a complete recording. */
export function marksOf({ entries }: Recording): readonly Mark[] {
  const schema = new SchemaMarks();
  return [...entries.flatMap((entry, index) => schema.add(entry, index)), ...ruleMarks(entries)];
}

/** Returns JSON that can't end a script element. */
function asScriptData(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
