// The bare limit: newline splitting, JSON.parse and JSON.stringify, one write per tick. No JSON-RPC, no validation.

/** Calls back with each value that a stream carries. */
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

/** Writes values as lines, all of one tick at once. Returns a promise while the pipe is full. */
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
    if (batch === "") process.nextTick(flush); // behind what awaits in this tick: that belongs to the batch
    batch += `${JSON.stringify(value)}\n`;
    if (batch.length > 65_536) flush();
    return full;
  };
}
