import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RecordingEntry, readRecording } from "@acp-kit/testing/recording";
import { describe, expect, it } from "vitest";
import { isBuilt } from "../../../test/browser.js";
import { hostileRecording, recordingWithSecret, shortRecording } from "../../../test/recordings.js";
import { inspectorHtml, marksOf } from "./inspector-html.js";

if (!isBuilt) console.log("Not run: the page of a recording, because the page is not built.");

const dataElement = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/;
const dataOf = (page: string): string => dataElement.exec(page)?.[1] ?? "";
/** The page without the data of its recording. */
const frameOf = (page: string): string => page.replace(dataOf(page), "");

/** The texts of the source files in a folder. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [readFileSync(path, "utf8")] : [];
  });
}

describe.skipIf(!isBuilt)("the page of a recording", () => {
  it("contains the recording and its marks as data, and no text in the data can end the data element", () => {
    const recording = hostileRecording();
    const page = inspectorHtml(recording);
    const data = dataOf(page);
    expect(data).not.toContain("<");
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify({ ...recording, marks: marksOf(recording) })));
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page.match(/<script.*?<\/script>/gs)).toHaveLength(2);
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  it("is the same for every recording, apart from the data", () => {
    const title = "</title><script>alert(1)</script>";
    expect(frameOf(inspectorHtml(hostileRecording(), { title }))).toBe(frameOf(inspectorHtml(shortRecording())));
  });

  it("allows only its own style and script, and no network request", () => {
    const frame = frameOf(inspectorHtml(shortRecording()));
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(frame)?.[1];
    expect(policy).toContain("default-src 'none'; style-src 'sha256-");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/connect-src|unsafe|https?:/);
    const withoutCode = frame.replace(/<style>.*?<\/style>/s, "").replace(/<script>.*?<\/script>/s, "");
    expect(withoutCode).not.toMatch(/https?:|src=|url\(|@import|href="(?!data:,)/);
    expect(/<style>(.*?)<\/style>/s.exec(frame)?.[1]).not.toMatch(/https?:|url\(|@import/);
  });

  it("parses nothing as HTML", () => {
    const folders = ["../../../page/", "../../../../react/src/"];
    const sources = folders.flatMap((folder) => sourcesBelow(fileURLToPath(new URL(folder, import.meta.url))));
    expect(sources.length).toBeGreaterThan(50);
    const parsing =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
    expect(sources.filter((source) => parsing.test(source))).toEqual([]);
  });

  it("contains no secret that the recording redacted, neither in its messages nor in its marks", () => {
    const secret = "Zq7MARK9f3a8c41d2e6b705x";
    const recording = recordingWithSecret(secret);
    expect(marksOf(recording).length).toBeGreaterThan(4);
    const page = inspectorHtml(recording);
    const forms = [secret.slice(0, 12), secret.slice(-12), encodeURIComponent(secret), btoa(secret)];
    expect(forms.filter((form) => page.includes(form))).toEqual([]);
  });

  it("is smaller than 570 kB without its data, and the data are only little larger than the recording", () => {
    const recording = shortRecording();
    const page = inspectorHtml(recording);
    expect(frameOf(page).length).toBeLessThan(570_000);
    expect(dataOf(page).length).toBeLessThan(JSON.stringify(recording).length + 20_000);
  });

  it("hostile.inspector: can be created from messages with any names and any depth", () => {
    const deep = JSON.parse(`${'{"a":['.repeat(120)}1${"]}".repeat(120)}`);
    const entries = ["constructor", "__proto__", "toString"].flatMap((method, id): RecordingEntry[] => [
      {
        t: id,
        kind: "message",
        from: "client",
        message: { jsonrpc: "2.0", id, method, params: { [method]: "x".repeat(100_000) } },
      },
      {
        t: id,
        kind: "message",
        from: "agent",
        message: { jsonrpc: "2.0", id, error: { code: deep, message: "y".repeat(100_000) } },
      },
    ]);
    const header = { acpRecording: 1, startedAt: "2026-01-01T00:00:00Z" };
    const recording = readRecording([header, ...entries].map((line) => JSON.stringify(line)).join("\n"));
    expect(recording.problems).toEqual([]);
    expect(inspectorHtml(recording)).toContain("constructor");
    for (const { message } of marksOf(recording)) expect(message.length).toBeLessThan(2_000);
  });
});
