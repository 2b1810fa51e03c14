import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { ourSources } from "./our-sources.js";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Whether there is a Chromium to test with. */
export const hasChromium: boolean = executablePath !== undefined;
if (!hasChromium) console.log("Skipped: no Chromium is installed, so no page of a browser was tested.");

const flags = [
  ...["no-sandbox", "disable-gpu", "disable-quic", "no-first-run"],
  ...["disable-background-networking", "disable-component-update", "disable-sync"],
];

/** Starts the browser. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: flags.map((flag) => `--${flag}`),
  });
}

/** The script of a page: a file of this folder, with the sources of today. */
export async function pageScript(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    bundle: true,
    format: "iife",
    platform: "browser",
    plugins: [ourSources],
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** The HTML of a page whose script is at `/page.js`. */
export const pageHtml = '<!doctype html><meta charset="utf-8"><body><script src="/page.js"></script>';
