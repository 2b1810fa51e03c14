// Measures the search for U+2028 and U+2029 in a message that is written: `pnpm --filter @acp-kit/bench separators`.
// The code is that of `packages/stdio/src/message-writer.ts`, with and without the search.
import { measureApart, type Scenario } from "./measure.js";

const texts = {
  "a chunk in ASCII": "The quick brown fox jumps over the lazy dog.",
  "a chunk in German": "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
  "a chunk in Japanese": "いろはにほへと ちりぬるを わかよたれそ つねならむ",
  "a text of 100,000 characters in German": "Zwölf Boxkämpfer jagen Viktor quer. ".repeat(2_800),
};

const searches: Readonly<Record<string, (text: string) => boolean>> = {
  without: () => false,
  with: (text) => text.includes("\u2028") || text.includes("\u2029"),
};

function scenario(
  name: string,
  text: string,
  [kind, hasSeparators]: readonly [string, (text: string) => boolean],
): Scenario {
  const count = Math.ceil(40_000_000 / (text.length + 200));
  const message = {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "sess_1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  };
  return {
    name: `${name}, ${kind}`,
    count,
    prepare: () => async () => {
      let found = 0;
      for (let i = 0; i < count; i += 1) {
        const written = JSON.stringify(message);
        if (Buffer.byteLength(written) > written.length && hasSeparators(written)) found += 1;
      }
      if (found > 0) throw new Error("a text contains a separator, but none of them should");
    },
  };
}

await measureApart(
  Object.entries(texts).flatMap(([name, text]) =>
    Object.entries(searches).map((search) => scenario(name, text, search)),
  ),
);
