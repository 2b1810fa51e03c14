import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Sender, Wire } from "./wire.js";

const lines = readFileSync(new URL("../lines/session.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

it("the decoders accept a session with the deviations of real agents and clients", () => {
  const wire = new Wire();
  const departures = lines.flatMap((line) => {
    const { from, message } = JSON.parse(line) as { from: Sender; message: object };
    return wire.read(from, message);
  });
  expect(lines.length).toBeGreaterThan(10);
  expect(departures).toEqual([
    "fs/write_text_file results, repaired: read as {}: must be an object (got null)",
    'session/update params, repaired: update.kind: left out: must be one of "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other" (got "patch")',
    "session/update params, refused: update.content.text: must be a string (missing)",
    "an extension",
  ]);
});
