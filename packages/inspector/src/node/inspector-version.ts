import { readFileSync } from "node:fs";

/** The version of this package, which agents and readers of recordings see. */
export function inspectorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
