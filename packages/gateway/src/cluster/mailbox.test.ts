import { expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { settled } from "../../test/rig.js";
import type { Reply } from "../session/command.js";
import { Mailbox } from "./mailbox.js";
import type { Post } from "./post.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };

/**
 * A mailbox that keeps 3,000 characters of replies. Each command has a reply of about 1,000 characters; the commands in
 * `held` have none yet.
 */
function mailbox(held: readonly string[] = []) {
  const executed: string[] = [];
  const sent: string[] = [];
  const post = { id: "here", send: async (_: string, text: string) => sent.push(text) > 0 } as unknown as Post;
  const run = async ({ command }: { readonly command: { readonly is: string } }): Promise<Reply> => {
    const { client } = command as unknown as { readonly client: string };
    executed.push(client);
    if (held.includes(client)) return new Promise(() => {});
    return { is: "done", at: 1, epoch: 1, outcome: { result: "x".repeat(950) } };
  };
  const box = new Mailbox(post, new ManualClock(), run, 3_000);
  const receive = async (...ids: readonly number[]): Promise<void> => {
    for (const id of ids) {
      const command = { is: "cancel", client: `${id}` };
      box.receive(JSON.stringify({ is: "command", id, from: "there", key, command, seen: 0 }));
      await settled();
    }
  };
  return { executed, sent, receive };
}

test("a command that arrives again gets its reply again, and is not executed again", async () => {
  const { executed, sent, receive } = mailbox();
  await receive(1, 2, 1);
  expect(executed).toEqual(["1", "2"]);
  expect(sent[2]).toBe(sent[0]);
});

test("the oldest replies are removed when all of them have more than maxReplyChars", async () => {
  const { executed, receive } = mailbox();
  await receive(1, 2, 3, 4, 5);
  await receive(5, 4); // the replies to 4 and 5 are kept
  expect(executed).toEqual(["1", "2", "3", "4", "5"]);
  await receive(1);
  expect(executed.at(-1)).toBe("1");
});

test("a command that is being executed stays, whatever the size of the other replies", async () => {
  const { executed, receive } = mailbox(["1"]);
  await receive(1, 2, 3, 4, 5, 1);
  expect(executed).toEqual(["1", "2", "3", "4", "5"]);
});
