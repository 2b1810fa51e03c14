import { tokenAuthentication } from "@acp-kit/http";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

const request = (token: string): Request =>
  new Request("http://localhost/acp", { headers: { authorization: `Bearer ${token}` } });

/** What the comparison does for a token: the lengths of the texts that are hashed, and the reads of bytes of digests. */
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

it("gateway.token-comparison: the same work is done for a right token, a wrong one and one that is nearly right, wherever it stands", async () => {
  const tokens = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"];
  const works = [];
  for (const given of [...tokens, "aaaaaaaaaaaaaaab", "zaaaaaaaaaaaaaaa", "x"]) {
    works.push(await workFor(given, tokens));
    vi.restoreAllMocks();
  }
  // The given token is hashed once and each known one once: no comparison ends early, and none compares the tokens themselves.
  for (const work of works) expect(work).toEqual(Array.from({ length: 1 + tokens.length }, () => "digest SHA-256"));
});
