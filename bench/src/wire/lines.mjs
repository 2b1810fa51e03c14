// The bare limit: newline splitting, JSON.parse and JSON.stringify, one write per tick. No JSON-RPC, no validation.

/** Calls back with each value that a stream carries. */
export function readValues(stream, take) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const text = rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n", start); end !== -1; end = text.indexOf("\n", start)) {
      take(JSON.parse(text.slice(start, end)));
      start = end + 1;
    }
    rest = text.slice(start);
  });
}

/** Writes values as lines, all of one tick at once. Answers a promise while the pipe is full. */
export function valueWriter(stream) {
  let batch = "";
  let full;
  const flush = () => {
    const text = batch;
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
    if (batch === "") queueMicrotask(flush);
    batch += `${JSON.stringify(value)}\n`;
    if (batch.length > 65_536) flush();
    return full;
  };
}
