import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.js";

const secret = "MARK-7f3a9c";

describe("a redactor", () => {
  it("hides values in members whose values are secrets", () => {
    const values = [
      { mcpServers: [{ env: [{ name: "A", value: secret }] }] },
      { env: { A: secret } },
      { env: [`A=${secret}`] },
      { headers: { Authorization: `Bearer ${secret}` } },
      { secret: { value: secret } },
      { secret: { deep: [{ x: secret }] } },
      { args: ["--api-key", secret] },
      { args: [`--token=${secret}`] },
      { args: ["-H", `X-Thing: ${secret}`] },
      { args: ["-e", `THING=${secret}`] },
      { command: `curl --api-key ${secret} https://x` },
      { url: `https://user:${secret}@host/path` },
      { url: `postgres://:${secret}@host/path` },
      { url: `https://host/path?access_token=${secret}&x=1` },
      { content: [{ name: "api_key", value: secret }] },
      { _meta: { myTokenThing: secret } },
      { text: `Authorization: ${secret}` },
      { text: `export OPENAI_API_KEY=${secret}` },
    ];
    for (const value of values) {
      const redactor = createRedactor();
      expect(JSON.stringify(redactor.redact(value))).not.toContain(secret);
      // and in all later values
      expect(redactor.redactText(`I was given ${secret}!`)).toBe("I was given [redacted]!");
      expect(redactor.redact({ rawOutput: [`x ${secret}`] })).toEqual({ rawOutput: ["x [redacted]"] });
    }
  });

  it("hides secrets in texts", () => {
    const texts = [
      `token: ${secret}`,
      `Authorization: Basic ${secret}`,
      `{"env":[{"name":"A","value":"${secret}`,
      `got {\\"env\\":{\\"A\\":\\"${secret}\\"}}`,
      `{ env: [ { name: 'A', value: '${secret}' } ] }`,
      `password="a'b${secret}"`,
      `--password ${secret}`,
      `-----BEGIN RSA PRIVATE KEY-----\n${secret}`,
    ];
    for (const text of texts) expect(createRedactor().redactText(text)).not.toContain(secret);
  });

  it("does not change values without a secret", () => {
    const redactor = createRedactor();
    const message = {
      method: "session/update",
      params: { update: { content: { type: "text", text: "token" } }, inputTokens: 5 },
    };
    expect(redactor.redact(message)).toBe(message);
    for (const text of ["Bearer of news", "the password is weak", "const token = next();"]) {
      expect(redactor.redact({ text })).toEqual({ text });
    }
  });
});
