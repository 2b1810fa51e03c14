import type { IncomingSessionUpdate } from "@acp-kit/types";
import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageText } from "./message-text.js";

const chunk = (text: string, messageId?: string): IncomingSessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...(messageId !== undefined && { messageId }),
});
const thought: IncomingSessionUpdate = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } };
const read = (...updates: readonly IncomingSessionUpdate[]): string[] => {
  const text = new MessageText();
  return updates.map((update) => text.add(update));
};

it("joins the chunks of a message and separates messages by an empty line", () => {
  expect(read(chunk("Hel", "1"), chunk("lo", "1"), chunk("", "2"), chunk("Next", "2"))).toEqual([
    "Hel",
    "lo",
    "",
    "\n\nNext",
  ]);
});

it("separates messages without ids if another update came in between, and adds no line break too many", () => {
  const updates = [chunk("I read it."), thought, chunk("It "), chunk("says hello.\n"), thought, chunk("Bye")];
  expect(read(...updates).join("")).toBe("I read it.\n\nIt says hello.\n\nBye");
});

it("separates messages around an event that is not an update", () => {
  const text = new MessageText();
  text.add(chunk("May I?"));
  text.interrupt();
  expect(text.add(chunk("Thanks"))).toBe("\n\nThanks");
});

it("adds nothing for blocks that are not text, for other updates and for unknown ones", () => {
  const image = { type: "image", data: "", mimeType: "image/png" } as const;
  const updates = [{ sessionUpdate: "agent_message_chunk", content: image }, thought, { sessionUpdate: "_new" }];
  expect(read(...(updates as IncomingSessionUpdate[]))).toEqual(["", "", ""]);
});

it("keeps every character of one message, however long it is and however it is cut", () => {
  const long = fc.tuple(fc.integer({ min: 1_000, max: 50_000 }), fc.constantFrom("x", "\n", " ", "é", "😀"));
  const piece = fc.oneof(
    { arbitrary: fc.string(), weight: 9 },
    { arbitrary: long.map(([length, unit]) => unit.repeat(length)), weight: 1 },
  );
  fc.assert(
    fc.property(fc.array(piece), fc.option(fc.string(), { nil: undefined }), (pieces, id) => {
      expect(read(...pieces.map((piece) => chunk(piece, id))).join("")).toBe(pieces.join(""));
    }),
  );
});

it("text.whole-characters: joins the halves of a character that chunks were cut through", () => {
  const rocket = "\u{1f680}";
  const cut = [chunk(`Deployed ${rocket[0]}`), chunk(`${rocket[1]} and `), chunk("\ud83d"), thought, chunk("done")];
  expect(read(...cut)).toEqual(["Deployed ", `${rocket} and `, "", "", "\n\n\ufffddone"]);
});

it("has the text of embedded files and of unknown blocks, apart from the text around them", () => {
  const block = (content: object) => ({ sessionUpdate: "agent_message_chunk", content }) as IncomingSessionUpdate;
  const file = { type: "resource", resource: { uri: "file:///srv/report.md", text: "# Totals\n42 orders" } };
  const [link, image] = [
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "image", data: "", mimeType: "image/png" },
  ];
  const updates = [
    chunk("The report:"),
    block(file),
    chunk("See"),
    block(link),
    chunk("and"),
    block(image),
    chunk("."),
  ];
  expect(read(...updates).join("")).toBe("The report:\n\n# Totals\n42 orders\n\nSee\n\nand\n\n.");
  expect(read(block({ type: "citation", text: "quoted" }), chunk("it")).join("")).toBe("quoted\n\nit");
});
