// A client that uses the extension if the agent announces it, and the errors for wrong params and unknown methods.
import assert from "node:assert/strict";
import { connectAgent, isRpcError, linkedTransports } from "@acp-kit/client";
import { agent, seen } from "./agent.js";
import { ANNOUNCED, WORD_COUNT, WORDS_SEEN, wordCountResult } from "./word-count.js";

const [ours, theirs] = linkedTransports();
agent.connect(theirs);
await using connection = await connectAgent(ours);

// #region client
if (connection.capabilities._meta?.[ANNOUNCED] === undefined) throw new Error("This agent doesn't count words");

const { words } = await connection.extensionRequest(
  WORD_COUNT,
  { text: "four words, no more" },
  { result: wordCountResult },
);
await connection.extensionNotify(WORDS_SEEN, { words });
// #endregion client
assert.equal(words, 4);

// If the params are invalid, the library sends an error response, which names the invalid member.
const failure = await connection.extensionRequest(WORD_COUNT, { text: 4 }).catch((error: unknown) => error);
assert(isRpcError(failure));
assert.equal(failure.code, -32602);
assert.match(failure.message, /text/);

// A method that the agent doesn't have gets an error response, too.
const unknown = await connection.extensionRequest("_example.com/none").catch((error: unknown) => error);
assert(isRpcError(unknown));
assert.equal(unknown.code, -32601);

assert.deepEqual(seen, [4]);
console.log("extension-method: announced, typed, and refused with wrong params");
