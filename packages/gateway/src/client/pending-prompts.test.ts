import { deferred } from "@acp-kit/jsonrpc/internal";
import { expect, test } from "vitest";
import { settled } from "../../test/rig.js";
import type { Outcome } from "../journal/journal-entry.js";
import { PendingPrompts } from "./pending-prompts.js";

test("the response to a prompt of an ended turn is read once, however often the prompt is sent again meanwhile", async () => {
  const [ended, read] = [{ result: { stopReason: "end_turn" } }, deferred<Outcome>()];
  let reads = 0;
  const prompts = new PendingPrompts({
    sendsCursors: false,
    send: async () => ({ is: "done", at: 9, epoch: 1, outcome: ended }),
    responseTo: () => {
      reads += 1;
      return read.promise;
    },
    reached: async () => {},
    caughtUp: async () => {},
  });
  const command = { is: "prompt", client: "c", key: "k", params: {}, opening: { cwd: "/", mcpServers: [] } } as const;
  const response = prompts.add("k", command);
  for (let i = 0; i < 3; i++) {
    prompts.sendAgain();
    await settled();
  }
  expect(reads).toBe(1);
  read.resolve({ result: { messageId: "m" } });
  expect(await response).toEqual({ messageId: "m" });
});
