// Run in a fresh process by `decode.ts`, without a loader in the way: imports one module, reads one message, prints what that cost.
const [specifier = "", kind = "", text = ""] = process.argv.slice(2);
const rss = process.memoryUsage.rss();
const started = performance.now();
const module = await import(specifier);
if (kind === "ours") module.decodeSessionNotification(JSON.parse(text));
else module.zSessionNotification.parse(JSON.parse(text));
const milliseconds = performance.now() - started;
process.stdout.write(JSON.stringify({ milliseconds, mebibytes: (process.memoryUsage.rss() - rss) / 2 ** 20 }));
