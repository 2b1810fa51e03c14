// Measures a transcript without decoding: `node --expose-gc transcript.mjs <chunk|tool_call_update> <count>`. Prints
// the microseconds per update, and the bytes that stay per update without the text. The transcript is read every 100
// updates, as a user interface does.
import { createTranscript } from "@acp-kit/client";
import { updates } from "../wire/jobs.mjs";

const [name, countText] = process.argv.slice(2);
const count = Number(countText);
const PER_LOOK = 100;

/** Adds `total` updates to a new transcript. Each update is a new object, as from a decoder, and is not kept here. */
function addUpdates(total) {
  const due = [];
  const transcript = createTranscript({ schedule: (notify) => void due.push(notify) });
  let seen = 0;
  transcript.subscribe(() => {
    seen += transcript.snapshot.entries.length;
  });
  let ms = 0;
  for (let added = 0; added < total; added += PER_LOOK) {
    const arrived = Array.from({ length: PER_LOOK }, () => structuredClone(updates[name]));
    const started = performance.now();
    for (const update of arrived) transcript.update(update);
    for (const notify of due.splice(0)) notify();
    ms += performance.now() - started;
  }
  if (seen === 0) throw new Error("nothing was read");
  return { ms, transcript };
}

addUpdates(count / 4); // warms up
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const { ms, transcript } = addUpdates(count);
const text = transcript.snapshot.entries.reduce((sum, entry) => sum + (entry.text?.length ?? 0), 0);
globalThis.gc();
const kept = process.memoryUsage().heapUsed - before;
console.log(
  JSON.stringify({ us: (ms * 1e3) / count, bytes: (kept - text) / count, entries: transcript.snapshot.entries.length }),
);
