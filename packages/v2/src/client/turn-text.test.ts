import type { IncomingSessionUpdate } from "@acp-kit/types";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turn } from "../../test/bridged.js";
import { chunk, idle, running, userMessage, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";
import { TurnText } from "./turn-text.js";

const whole = (messageId: string, ...texts: readonly string[]): object => ({
  sessionUpdate: "agent_message",
  messageId,
  content: texts.map((text) => ({ type: "text", text })),
});
const cleared = (messageId: string, content: null | [] = null): object => ({
  sessionUpdate: "agent_message",
  messageId,
  content,
});

/** Returns the joined stream and the text at the end. */
function read(...updates: readonly object[]): { streamed: string; text: string } {
  const reader = new TurnText();
  const streamed = updates.map((update) => reader.add(update as IncomingSessionUpdate)).join("");
  return { streamed, text: reader.final() ?? streamed };
}

describe("V2-REQ-19: the text of a turn", () => {
  it("has the final content of a replaced message, and the stream keeps what it sent", async () => {
    const { session, agent } = await withSession();
    const prompt = session.prompt("Hi");
    const text = prompt.text();
    await turn();
    agent.respond(agent.lastReceived("session/prompt").id, { messageId: "u1" });
    sendUpdate(agent, userMessage("Hi", "u1"));
    sendUpdate(agent, running);
    sendUpdate(agent, whole("a1", "Helo"));
    sendUpdate(agent, chunk(" world"));
    sendUpdate(agent, whole("a1", "Hello"));
    sendUpdate(agent, chunk("!"));
    sendUpdate(agent, chunk("Bye", "a2"));
    sendUpdate(agent, idle("end_turn"));
    expect(await text).toBe("Hello!\n\nBye");
  });

  it("is the joined stream without a replacement", () => {
    expect(read(chunk("a", "1"), chunk("b", "1"), { sessionUpdate: "agent_message", messageId: "1" })).toEqual({
      streamed: "ab",
      text: "ab",
    });
  });

  it("has a replaced message once, at its first place", () => {
    const { streamed, text } = read(chunk("a", "1"), chunk("b\n", "2"), chunk("c", "1"), whole("1", "A", "C"));
    expect(streamed).toBe("a\n\nb\n\nc");
    expect(text).toBe("AC\n\nb\n");
  });

  it.each([[null], [[] as []]])("has nothing of a message that is cleared with %j", (content) => {
    expect(read(chunk("a", "1"), chunk("b", "2"), cleared("1", content)).text).toBe("b");
    expect(read(chunk("a", "1"), cleared("1", content), chunk("c", "1")).text).toBe("c");
  });

  it("has the text that takes the place of an image", () => {
    const image = { type: "image", data: "", mimeType: "image/png" };
    const update = { sessionUpdate: "agent_message_chunk", messageId: "1", content: image };
    expect(read(update, chunk("b", "2"), whole("1", "a")).text).toBe("a\n\nb");
  });

  it("has nothing of a message of an earlier turn", () => {
    expect(read(chunk("a", "1"), whole("0", "old")).text).toBe("a");
  });

  it("has the last content of each message, whatever was sent before", () => {
    const message = fc.constantFrom("1", "2", "3");
    const content = fc.constantFrom("a", "bc", "d\n", "");
    const event = fc.record({ message, content, isWhole: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const finals = new Map(events.map(({ message: id }) => [id, `final ${id}`]));
        const updates = events.map(({ message: id, content: text, isWhole }) =>
          isWhole ? whole(id, text) : chunk(text, id),
        );
        const begun = [...finals.keys()].map((id) => chunk("x", id));
        const ends = [...finals].map(([id, text]) => whole(id, text));
        expect(read(...begun, ...updates, ...ends).text).toBe([...finals.values()].join("\n\n"));
      }),
    );
  });
});
