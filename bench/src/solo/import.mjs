// Measures imports: `node --expose-gc import.mjs [module …]`. Prints the milliseconds and the resident bytes.
const modules = process.argv.slice(2);
globalThis.gc();
const before = process.memoryUsage.rss();
const started = performance.now();
for (const module of modules) await import(module);
const ms = performance.now() - started;
globalThis.gc();
console.log(JSON.stringify({ ms, bytes: process.memoryUsage.rss() - before }));
