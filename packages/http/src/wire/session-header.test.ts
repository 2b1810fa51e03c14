import fc from "fast-check";
import { expect, it } from "vitest";
import { readSessionHeader, sessionHeader } from "./session-header.js";

const headerValue = (id: string): string => sessionHeader(id)["acp-session-id"] as string;

it("a header carries any session id, and ids of the characters that headers allow are unchanged", () => {
  const anyId = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom("utf-8''%", "会话", "a\nb", " a", "a "),
  );
  fc.assert(
    fc.property(anyId, (id) => {
      const carried = new Headers(sessionHeader(id)).get("acp-session-id") as string;
      expect(readSessionHeader(carried)).toBe(id);
    }),
  );
  for (const id of ["sess_1", "a b", "50%", "sé-1"]) expect(headerValue(id)).toBe(id);
});

it("half a surrogate pair is replaced", () => {
  expect(readSessionHeader(headerValue("a\ud800"))).toBe("a\ufffd");
});
