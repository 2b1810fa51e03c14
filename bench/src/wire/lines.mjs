// The bare limit: newline splitting, JSON.parse and JSON.stringify, one write per tick. No JSON-RPC, no validation.

/** Calls a function with each value that arrives on a stream. */
export function readValues(stream, take) {
  let parts = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      const last = chunk.slice(start, end);
      const line = parts.length === 0 ? last : parts.join("") + last;
      parts = [];
      start = end + 1;
      take(JSON.parse(line));
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  });
}

/**
 * Returns a function that writes a value as a line. Lines of one tick are written together. The function returns a
 * promise while the pipe is full.
 */
export function valueWriter(stream) {
  let batch = "";
  let full;
  const flush = () => {
    const text = batch;
    if (text === "") return;
    batch = "";
    if (stream.write(text)) return;
    full ??= new Promise((resolve) =>
      stream.once("drain", () => {
        full = undefined;
        resolve();
      }),
    );
  };
  return (value) => {
    // After the microtasks of this tick, because their lines belong to the same write
    if (batch === "") process.nextTick(flush);
    batch += `${JSON.stringify(value)}\n`;
    if (batch.length > 65_536) flush();
    return full;
  };
}
