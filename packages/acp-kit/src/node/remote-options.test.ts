import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fakeHost, run } from "../../test/fake-host.js";
import { remoteTarget } from "./remote-options.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-token-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tokenFile = join(folder, "token");
writeFileSync(tokenFile, "from-file\n");
const empty = join(folder, "empty");
writeFileSync(empty, "\n");

const url = "https://agents.example.com/acp";

describe("the token", () => {
  it("comes from the option, the file or the environment, in this order", () => {
    const host = fakeHost({ env: { ACP_TOKEN: "from-environment" } });
    expect(remoteTarget(url, { token: "from-option" }, host).token).toBe("from-option");
    expect(remoteTarget(url, { tokenFile }, host).token).toBe("from-file");
    expect(remoteTarget(url, {}, host).token).toBe("from-environment");
    expect(remoteTarget(url, {}, fakeHost()).token).toBeUndefined();
  });

  it("is hidden from then on", () => {
    const host = fakeHost();
    remoteTarget(url, { token: "plain-words" }, host);
    expect(host.redactor?.redactText("It is plain-words.")).not.toContain("plain-words");
  });

  it("is not sent unencrypted to another machine without a warning", () => {
    const warned = (address: string): boolean => {
      const host = fakeHost();
      remoteTarget(address, { token: "t" }, host);
      return host.err().includes("unencrypted");
    };
    expect(warned("http://agents.example.com/acp")).toBe(true);
    expect(warned("ws://agents.example.com/acp")).toBe(true);
    for (const safe of [url, "wss://agents.example.com", "http://127.0.0.1:1", "ws://[::1]:1", "http://localhost:1"]) {
      expect(warned(safe), safe).toBe(false);
    }
  });
});

describe("reports a wrong command line in one sentence, with exit code 2:", () => {
  it.each([
    [["run", "hi", "--url", "agents.example.com"], "must begin with https:"],
    [["run", "hi", "--url", "ftp://agents.example.com"], "must begin with https:"],
    [["run", "hi", "--url", "https://me:hunter22@example.com/"], "must not contain a user or a password"],
    [["run", "hi", "--url", url, "--", "gemini"], "both name an agent"],
    [["doctor", "--url", url, "gemini"], "both name an agent"],
    [["chat", "--token", "t", "--", "gemini"], "need --url"],
    [["run", "hi", "--url", url, "--token", "t", "--token-file", tokenFile], "both name a token"],
    [["run", "hi", "--url", url, "--token-file", join(folder, "none")], "Can't read --token-file"],
    [
      ["run", "hi", "--url", url, "--token-file", join(folder, "ann.token")],
      "ann.token, because there is no such file",
    ],
    [["run", "hi", "--url", url, "--token-file", empty], "contains no token"],
    [
      ["run", "hi", "--url", url, "--token", "two words"],
      "The token on the command line contains characters that are not allowed in a token, such as spaces",
    ],
    [["run", "hi", "--url", url, "--cwd", "relative"], "absolute path"],
    [["run", "hi", "--url", url, "--local-access", "--cwd", join(folder, "none")], "does not exist"],
    [["run", "hi", "--local-access", "--", "gemini"], "--local-access is only for"],
    [["connect", "nowhere"], "must begin with https:"],
    [["serve", "--auth", "none", "--listen", "0.0.0.0:0", "--", "gemini"], "other machines can reach 0.0.0.0"],
    [
      ["serve", "--auth", "none", "--allow-host", "agents.example.com:80", "--", "gemini"],
      "other machines can reach agents.example.com:80",
    ],
    [
      ["serve", "--auth", "none", "--token-file", tokenFile, "--", "gemini"],
      "--auth none and --token-file contradict each other",
    ],
    [["serve", "--allow-origin", "app.example.com", "--", "gemini"], "an origin is a scheme and a host"],
    [["serve"], "The agent is missing"],
  ])("%j", async (words, sentence) => {
    const { code, out, err } = await run(words);
    expect(err).toContain(sentence);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toContain("hunter22");
  });
});
