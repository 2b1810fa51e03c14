// A server process. It sends its port, and responds to each message with its memory.
const [side, profile] = process.argv.slice(2);
const { serve } = await import(`./server.${side}.mjs`);
process.send({ port: await serve(profile) });
process.on("message", () => {
  globalThis.gc();
  process.send({ rss: process.memoryUsage().rss });
});
process.on("disconnect", () => process.exit());
