import { describe, expect, it } from "vitest";
import { excerptHead } from "./excerpt-head.js";

describe("the prefix of a message that is too large", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":5,"result":{"content":"xxx', { id: 5, kind: "response" }],
    ['{"id":"a-1","jsonrpc":"2.0","error":{"co', { id: "a-1", kind: "response" }],
    ['{ "jsonrpc": "2.0", "id": 7, "method": "fs/write_text_file", "params": {', { id: 7, kind: "request" }],
    ['{"jsonrpc":"2.0","method":"session/prompt","id":0,"params":{', { id: 0, kind: "request" }],
  ])("%s gives its id", (excerpt, head) => {
    expect(excerptHead(excerpt)).toEqual(head);
  });

  it.each([
    ['{"jsonrpc":"2.0","method":"session/update","params":{"id":5,"result":'],
    ['{"jsonrpc":"2.0","result":{"id":5,"resu'],
    ['{"jsonrpc":"2.0","id":9007199254740993,"result":{'],
    ['{"jsonrpc":"2.0","id":5'],
    ["banner"],
    [""],
  ])("%j gives none", (excerpt) => {
    expect(excerptHead(excerpt)).toBeUndefined();
  });
});
