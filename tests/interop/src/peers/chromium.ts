import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "@acp-kit/configs/browser";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { ourSources } from "./our-sources.js";

const executablePath = findBrowser();

/** Whether Chromium is installed. */
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

/**
 * Bundles scripts of this folder for pages, from the current sources. Returns them by the path at which a server serves
 * them.
 */
export async function pageScripts(...names: readonly string[]): Promise<ReadonlyMap<string | undefined, string>> {
  const { outputFiles } = await build({
    entryPoints: names.map((name) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))),
    outdir: "/",
    bundle: true,
    format: "iife",
    platform: "browser",
    plugins: [ourSources],
    write: false,
    logLevel: "error",
  });
  return new Map(outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]));
}

/** The HTML of a page whose script is at `/page.js`. */
export const pageHtml = '<!doctype html><meta charset="utf-8"><body><script src="/page.js"></script>';
