import { expect, it } from "vitest";
import { MessageText } from "./message-text.js";

it("joins the chunks of a message, and tells what each adds", () => {
  const message = new MessageText();
  expect(message.add("Hel", "1")).toBe("Hel");
  expect(message.add("lo", "1")).toBe("lo");
  expect(message.add("", "2")).toBe("");
  expect(message.add("Next", "2")).toBe("\n\nNext");
  expect(message.text).toBe("Hello\n\nNext");
});

it("keeps messages without ids apart where something happened in between", () => {
  const message = new MessageText();
  message.add("I read it.", undefined);
  message.interrupt();
  message.add("It ", undefined);
  message.add("says hello.\n", undefined);
  message.interrupt();
  message.add("Bye", undefined);
  expect(message.text).toBe("I read it.\n\nIt says hello.\n\nBye");
});
