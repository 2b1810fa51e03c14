import { expect, it } from "vitest";
import { behindComment } from "../wire/sse-writer.js";
import { ReplayOrder } from "./replay-order.js";

it("delivers only the responses that wait for an ended session, with any characters in the session id", () => {
  const order = new ReplayOrder();
  const delivered: string[] = [];
  for (const [mark, sessionId] of ["a b", "b", "1 b"].entries()) {
    order.connectionComment(commentOf(behindComment(mark + 1, sessionId)));
    order.connectionEvent(() => delivered.push(sessionId));
  }
  order.sessionEnded("b");
  expect(delivered).toEqual(["b"]);
  order.sessionEnded("a b");
  expect(delivered).toEqual(["b", "a b"]);
  order.stop();
});

/** The text of a comment, as a reader of the event stream delivers it. */
function commentOf(frame: string): string {
  return frame.trim().replace(/^: ?/, "");
}
