import { tokenAuthentication } from "@acp-kit/http";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

const request = (token: string): Request =>
  new Request("http://localhost/acp", { headers: { authorization: `Bearer ${token}` } });

/** The work of a comparison: the lengths of the hashed texts, and the number of digest bytes that were read. */
async function workFor(given: string, tokens: readonly string[]): Promise<string[]> {
  const work: string[] = [];
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (algorithm, data) => {
    const bytes = new Uint8Array(await digest(algorithm, data));
    work.push(`digest ${String(algorithm)}`);
    return bytes.buffer;
  });
  const entries = new Map(tokens.map((token, index) => [token, { user: `user ${index}` }]));
  await tokenAuthentication(entries)(request(given));
  return work;
}

it("gateway.token-comparison: comparing a valid, an invalid and an almost valid token takes the same work, at any position of the list", async () => {
  const tokens = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"];
  const works = [];
  for (const given of [...tokens, "aaaaaaaaaaaaaaab", "zaaaaaaaaaaaaaaa", "x"]) {
    works.push(await workFor(given, tokens));
    vi.restoreAllMocks();
  }
  // The given token and each known token are hashed once. No comparison ends early, and none compares the tokens
  // themselves.
  for (const work of works) expect(work).toEqual(Array.from({ length: 1 + tokens.length }, () => "digest SHA-256"));
});
