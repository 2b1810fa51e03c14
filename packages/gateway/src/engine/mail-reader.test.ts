import { expect, test } from "vitest";
import { MailReader } from "./mail-reader.js";

test("a message whose listener throws is delivered once, and so are those before and after it", async () => {
  let stored = ["a", "b", "c"].map((message) => ({ id: message, message }));
  const received: string[] = [];
  const mail = {
    read: async () => stored,
    remove: async (ids: readonly string[]) => {
      stored = stored.filter(({ id }) => !ids.includes(id));
    },
  };
  const reader = new MailReader(mail, (message) => {
    received.push(message);
    if (message === "b") throw new Error("a listener that throws");
  });
  reader.fetch();
  await expect.poll(() => stored).toEqual([]);
  reader.fetch();
  expect(received).toEqual(["a", "b", "c"]);
});
