import { isCapabilityError } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import type { ClientPeer } from "../client-peer.js";
import { prompt } from "./prompt-builder.js";
import { type PromptInput, promptBlocks, type UnsupportedBlocks } from "./prompt-content.js";

describe("a prompt is built block by block", () => {
  test("text, files and links, which every agent accepts", () => {
    const built = prompt()
      .text("Explain this")
      .file("/work/a b.ts")
      .file("C:\\work\\notes", { name: "the notes", size: 12, description: "of today" })
      .resourceLink("https://example.com/spec.md", { title: "The spec", annotations: { priority: 1 } });
    expect(built.blocks).toEqual([
      { type: "text", text: "Explain this" },
      { type: "resource_link", uri: "file:///work/a%20b.ts", name: "a b.ts", mimeType: "text/typescript" },
      { type: "resource_link", uri: "file:///C:/work/notes", name: "the notes", size: 12, description: "of today" },
      {
        type: "resource_link",
        uri: "https://example.com/spec.md",
        name: "spec.md",
        mimeType: "text/markdown",
        title: "The spec",
        annotations: { priority: 1 },
      },
    ]);
  });

  test("bytes become base64, strings are base64 already", () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const built = prompt()
      .image(bytes, { mimeType: "image/png", uri: "file:///a.png" })
      .audio("AAAA", { mimeType: "audio/wav" })
      .resource({ path: "/work/a.bin", blob: bytes })
      .resource({ uri: "buffer:1", text: "unsaved" }, { mimeType: "text/plain" });
    const data = Buffer.from(bytes).toString("base64");
    expect(built.blocks).toEqual([
      { type: "image", data, mimeType: "image/png", uri: "file:///a.png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///work/a.bin", blob: data } },
      { type: "resource", resource: { uri: "buffer:1", text: "unsaved", mimeType: "text/plain" } },
    ]);
  });

  test("each call leaves the previous builder unchanged", () => {
    const first = prompt().text("one");
    first.text("two");
    expect(first.blocks).toHaveLength(1);
  });

  test("a relative path throws where it is written", () => {
    expect(() => prompt().file("src/a.ts")).toThrow('The path "src/a.ts" is not absolute');
    expect(() => prompt().resource({ path: "a.ts", text: "" })).toThrow(TypeError);
  });
});

describe("PROMPT-03 blocks that the agent did not advertise", () => {
  const reported: unknown[] = [];
  const peer = (offered: readonly string[]): Pick<ClientPeer, "offers" | "report"> => ({
    offers: (capability) => offered.some((name) => capability.endsWith(name)),
    report: (diagnostic) => reported.push(diagnostic),
  });
  const send = (input: PromptInput, unsupported?: UnsupportedBlocks, offered: readonly string[] = []): unknown =>
    promptBlocks(peer(offered), input, unsupported);

  test.each([
    ["image", prompt().image("AA==", { mimeType: "image/png", uri: "file:///a.png" })],
    ["audio", prompt().audio("AA==", { mimeType: "audio/wav" })],
    ["resource", prompt().resource({ path: "/a.ts", text: "x" })],
  ])("%s is an error that names the capability", (type, input) => {
    expect(() => send(input)).toThrow(`The agent accepts no ${type} blocks`);
  });

  test("or become links if they have a URI, with a diagnostic", () => {
    reported.length = 0;
    const built = prompt()
      .text("look")
      .resource({ path: "/a.ts", text: "x" })
      .image("AA==", { mimeType: "image/png", uri: "file:///b.png" });
    expect(send(built, "link")).toEqual([
      { type: "text", text: "look" },
      { type: "resource_link", uri: "file:///a.ts", name: "a.ts", mimeType: "text/typescript" },
      { type: "resource_link", uri: "file:///b.png", name: "b.png", mimeType: "image/png" },
    ]);
    expect(reported).toMatchObject([{ code: "prompt_degraded" }, { code: "prompt_degraded" }]);
  });

  test("blocks without a URI are an error anyway", () => {
    const error = (() => {
      try {
        return send(prompt().image("AA==", { mimeType: "image/png" }), "link");
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isCapabilityError(error) && error.capability).toBe("agentCapabilities.promptCapabilities.image");
  });

  test("advertised blocks stay as they are", () => {
    const built = prompt().resource({ path: "/a.ts", text: "x" });
    expect(send(built, "link", ["embeddedContext"])).toEqual(built.blocks);
  });
});
