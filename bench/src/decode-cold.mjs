// Imports one module, decodes one message, and prints the time and the memory. `decode.ts` runs this script in a new
// process, without a loader.
const [specifier = "", kind = "", text = ""] = process.argv.slice(2);
const rss = process.memoryUsage.rss();
const started = performance.now();
const module = await import(specifier);
if (kind === "ours") module.decodeSessionNotification(JSON.parse(text));
else module.zSessionNotification.parse(JSON.parse(text));
const milliseconds = performance.now() - started;
process.stdout.write(JSON.stringify({ milliseconds, mebibytes: (process.memoryUsage.rss() - rss) / 2 ** 20 }));
