import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOfBytes, unfinishedCharacter } from "./byte-text.js";
import { createRedactor } from "./redactor.js";
import { textPartsIn } from "./session-texts.js";

const encoder = new TextEncoder();

/** A way in which an agent sends a text in parts. The first part can be sent as a whole text. */
interface Way {
  /** Whether the text is bytes, which can end inside a character. */
  readonly isBytes?: true;
  update(part: Uint8Array, isFirst: boolean): object;
  /** Returns the value of the part in an update. */
  shown(update: never): string;
}

const base64 = (part: Uint8Array): string => Buffer.from(part).toString("base64");
const text = (part: Uint8Array): object => ({ type: "text", text: Buffer.from(part).toString() });

/** The update with a whole message, whose content is a list of blocks. */
interface WholeMessage {
  readonly content: { readonly text: string } | readonly { readonly text: string }[];
}

const ways: Readonly<Record<string, Way>> = {
  "chunks of the output of a terminal": {
    isBytes: true,
    update: (part) => ({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(part) }),
    shown: ({ data }: { readonly data: string }) => data,
  },
  "a snapshot of the output of a terminal, then chunks": {
    isBytes: true,
    update: (part, isFirst) =>
      isFirst
        ? { sessionUpdate: "terminal_update", terminalId: "t", output: { data: base64(part) } }
        : { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(part) },
    shown: ({ data, output }: { readonly data?: string; readonly output?: { readonly data: string } }) =>
      data ?? output?.data ?? "",
  },
  "chunks of a message": {
    update: (part) => ({ sessionUpdate: "agent_message_chunk", messageId: "m", content: text(part) }),
    shown: ({ content }: { readonly content: { readonly text: string } }) => content.text,
  },
  "a whole message, then chunks": {
    update: (part, isFirst) =>
      isFirst
        ? { sessionUpdate: "agent_message", messageId: "m", content: [text(part)] }
        : { sessionUpdate: "agent_message_chunk", messageId: "m", content: text(part) },
    shown: ({ content }: WholeMessage) => [content].flat()[0]?.text ?? "",
  },
  "a summary, then chunks": {
    update: (part, isFirst) =>
      isFirst
        ? { sessionUpdate: "compaction_update", compactionId: "c", summary: [text(part)] }
        : { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text(part) },
    shown: ({
      summary,
      content,
    }: Partial<WholeMessage> & { readonly summary?: readonly { readonly text: string }[] }) =>
      [content ?? summary ?? []].flat()[0]?.text ?? "",
  },
  "contents of a tool call": {
    update: (part) => ({
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "t",
      content: { type: "content", content: text(part) },
    }),
    shown: ({ content }: { readonly content: { readonly content: { readonly text: string } } }) => content.content.text,
  },
  "a tool call, then more of its contents": {
    update: (part, isFirst) =>
      isFirst
        ? { sessionUpdate: "tool_call_update", toolCallId: "t", content: [{ type: "content", content: text(part) }] }
        : {
            sessionUpdate: "tool_call_content_chunk",
            toolCallId: "t",
            content: { type: "content", content: text(part) },
          },
    shown: ({ content }: { readonly content: object }) =>
      ([content].flat()[0] as { readonly content: { readonly text: string } }).content.text,
  },
  "the output of a terminal in _meta, as in version 1": {
    update: (part) => ({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      _meta: { terminal_output: { terminal_id: "t", data: Buffer.from(part).toString() } },
    }),
    shown: ({ _meta }: { readonly _meta: { readonly terminal_output: { readonly data: string } } }) =>
      _meta.terminal_output.data,
  },
};

/** Secrets of distinct characters, none of which occurs in the text around them. */
const secrets = fc
  .uniqueArray(fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZéüàßñøł中文字鍵密碼🔑😀🚀"), {
    minLength: 8,
    maxLength: 40,
  })
  .map((characters) => characters.join(""))
  .filter((secret) => secret.length >= 12);

/** The number of characters at the beginning of a secret that a part shows if it ends there. */
const SHOWN_PREFIX = 7;

/** Cuts bytes at places between 0 and 1; a text only between two characters. */
function cut(bytes: Uint8Array, places: readonly number[], isBytes: boolean): Uint8Array[] {
  const at = [...new Set(places.map((place) => Math.floor(place * bytes.length)))].sort((a, b) => a - b);
  const cuts = at.map((place) => {
    let moved = place;
    while (!isBytes && ((bytes[moved] ?? 0) & 0xc0) === 0x80) moved += 1;
    return moved;
  });
  return [0, ...cuts].map((start, index) => bytes.slice(start, cuts[index] ?? bytes.length));
}

function joined(parts: readonly Uint8Array[], way: Way, secret: string): string {
  const redactor = createRedactor();
  redactor.addSecret(secret);
  const hide = redactor.messages();
  const shown = parts.map((part, index) => {
    const update = way.update(part, index === 0);
    const { params } = hide({ method: "session/update", params: { sessionId: "s", update } }) as {
      params: { update: never };
    };
    return Buffer.from(way.shown(params.update), way.isBytes ? "base64" : "utf8");
  });
  return Buffer.concat(shown).toString();
}

describe("a text that arrives in parts", () => {
  it.each(Object.entries(ways))("secret.by-value: %s show no secret, wherever they are cut", (_, way) => {
    const places = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 12 });
    const around = fc.constantFrom("", "x ", "ü=", "— the é is: ", "1 ".repeat(300));
    fc.assert(
      fc.property(secrets, around, around, places, (secret, before, after, at) => {
        const bytes = encoder.encode(`${before}${secret}${after}`);
        const shown = joined(cut(bytes, at, way.isBytes === true), way, secret).replaceAll("[redacted]", "");
        expect(shown.startsWith(before)).toBe(true);
        const rest = shown.slice(before.length);
        expect(rest.endsWith(after)).toBe(true);
        // A part that ends inside a character shows its first bytes.
        const prefix = rest.slice(0, rest.length - after.length).replace(/\ufffd+$/, "");
        expect(secret.startsWith(prefix)).toBe(true);
        expect(prefix.length).toBeLessThanOrEqual(SHOWN_PREFIX);
      }),
      { numRuns: 300 },
    );
  });

  it("secret.by-value: a secret that is first seen in the output of a terminal is hidden everywhere later", () => {
    for (const size of [1, 2, 3, 7, 100]) {
      const redactor = createRedactor();
      const hide = redactor.messages();
      const bytes = encoder.encode("export API_TOKEN=sécret-välue-à-1\n");
      for (let at = 0; at < bytes.length; at += size) {
        const update = {
          sessionUpdate: "terminal_output_chunk",
          terminalId: "t",
          data: base64(bytes.slice(at, at + size)),
        };
        hide({ method: "session/update", params: { sessionId: "s", update } });
      }
      expect(redactor.redactText("it is sécret-välue-à-1."), `chunks of ${size}`).toBe("it is [redacted].");
    }
    const learned = createRedactor();
    const update = {
      sessionUpdate: "terminal_update",
      terminalId: "t",
      output: { data: base64(encoder.encode("export API_TOKEN=sécret-välue-à-1\n")) },
    };
    learned.learn({ method: "session/update", params: { sessionId: "s", update } });
    expect(learned.redactText("it is sécret-välue-à-1.")).toBe("it is [redacted].");
  });

  it("a message of bytes without a secret is not changed, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 }), (parts) => {
        const redactor = createRedactor();
        redactor.addSecret("sécret-välue-1234");
        const hide = redactor.messages();
        for (const part of parts) {
          const update = { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(part) };
          const message = { method: "session/update", params: { sessionId: "s", update } };
          expect(hide(message)).toBe(message);
        }
      }),
    );
  });

  it("secret.by-value: of messages that interleave, each is searched by itself", () => {
    const secret = "MARK-7f3a9c-abcdef";
    const redactor = createRedactor();
    redactor.addSecret(secret);
    const hide = redactor.messages();
    const shown: Record<string, string> = { a: "", b: "" };
    for (const [messageId, part] of [
      ["a", secret.slice(0, 10)],
      ["b", "another text"],
      ["a", secret.slice(10)],
    ] as const) {
      const update = { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text: part } };
      const { params } = hide({ params: { sessionId: "s", update } }) as { params: { update: typeof update } };
      shown[messageId] += params.update.content.text;
    }
    expect(shown).toEqual({ a: "[redacted][redacted]", b: "another text" });
  });

  it("a whole text that replaces another is not searched together with it", () => {
    const hide = createRedactor().messages();
    const whole = (text: string): object => ({
      params: {
        sessionId: "s",
        update: { sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text }] },
      },
    });
    hide(whole("-----BEGIN PRIVATE KEY-----\nabc"));
    const next = whole("abcdefghij klm");
    expect(hide(next)).toBe(next);
  });

  it("secret.by-value: a secret in another member of the same update is hidden in the text, too", () => {
    const token = "Zq7MARK9f3a8c41d2e6b705x";
    const update = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: [{ type: "content", content: { type: "text", text: `I use ${token}` } }],
      rawInput: { token },
    };
    expect(JSON.stringify(createRedactor().messages()({ params: { sessionId: "s", update } }))).not.toContain(token);
  });
});

it("the key of a text is short, however long the names and ids of its updates are", () => {
  const long = "x".repeat(1_000_000);
  const update = { sessionUpdate: long, messageId: long, toolCallId: long, content: { type: "text", text: "t" } };
  const [part] = textPartsIn({ method: "session/update", params: { sessionId: long, update } });
  expect(part?.value).toBe("t");
  expect(part?.key.length).toBeLessThan(2_000);
});

describe("bytes as text", () => {
  it("textOfBytes and bytesOf lose nothing, and valid UTF-8 becomes its text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const binary = Buffer.from(bytes).toString("latin1");
        expect(bytesOf(textOfBytes(binary))).toBe(binary);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(textOfBytes(Buffer.from(text).toString("latin1"))).toBe(text);
      }),
    );
  });

  it("unfinishedCharacter returns the bytes of a character that is cut", () => {
    for (const character of ["é", "中", "🔑"]) {
      const bytes = Buffer.from(`a${character}`).toString("latin1");
      for (let length = 2; length < bytes.length; length += 1)
        expect(unfinishedCharacter(bytes.slice(0, length))).toBe(bytes.slice(1, length));
      expect(unfinishedCharacter(bytes)).toBe("");
    }
  });
});
