import { RemoteError } from "@acp-kit/http";
import { describe, expect, it } from "vitest";
import { remoteErrorText } from "./remote-error-text.js";

const textOf = (url: string, status: number, code: "unauthorized" | "connection_lost"): string | undefined =>
  remoteErrorText(new Error("failed", { cause: new RemoteError(code, `refused with ${status}.`, { url, status }) }));

describe("the message for a remote agent that can't be reached says what to do", () => {
  it("if the token is wrong", () => {
    expect(textOf("http://host:1/acp", 401, "unauthorized")).toMatch(/^refused with 401\. Give a valid token/);
  });

  it("if the URL has no path", () => {
    expect(textOf("http://host:1/", 404, "connection_lost")).toBe(
      "refused with 404. The URL has no path: most agents are served at /acp.",
    );
    expect(textOf("http://host:1/other", 404, "connection_lost")).toBe("refused with 404.");
  });

  it("if the path ends with a slash", () => {
    expect(textOf("wss://host/acp/", 404, "connection_lost")).toBe(
      "refused with 404. The path ends with a slash: try the URL without it.",
    );
  });
});
