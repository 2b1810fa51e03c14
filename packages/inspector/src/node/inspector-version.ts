import { readFileSync } from "node:fs";

/** Returns the version of this package, for `initialize` and for the headers of recordings. */
export function inspectorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
