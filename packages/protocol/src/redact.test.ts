import { expect, test } from "vitest";
import { redactSecrets } from "./redact.js";

test("values of env and headers are hidden, names stay", () => {
  const message = {
    method: "session/new",
    params: {
      cwd: "/work",
      mcpServers: [
        { name: "a", command: "/a", args: ["--x"], env: [{ name: "KEY", value: "s3cret" }] },
        { type: "http", name: "b", url: "https://b", headers: [{ name: "Authorization", value: "Bearer s3cret" }] },
      ],
    },
  };
  const shown = redactSecrets(message);
  expect(JSON.stringify(shown)).not.toContain("s3cret");
  expect(shown).toMatchObject({
    params: {
      mcpServers: [
        { env: [{ name: "KEY", value: "[redacted]" }] },
        { headers: [{ name: "Authorization", value: "[redacted]" }] },
      ],
    },
  });
  expect(message.params.mcpServers[0]?.env?.[0]?.value).toBe("s3cret");
});

test("an env that is a map is hidden too", () => {
  const shown = redactSecrets({
    result: { authMethods: [{ type: "terminal", id: "t", name: "T", env: { KEY: "s3cret" } }] },
  });
  expect(shown).toMatchObject({ result: { authMethods: [{ env: { KEY: "[redacted]" } }] } });
});

test("members of _meta that are named like secrets are hidden, others are not", () => {
  const meta = { "vendor.com/accessToken": "s3cret", deep: { apiKey: { a: "s3cret" } }, traceparent: "00-1" };
  expect(redactSecrets({ params: { _meta: meta } })).toEqual({
    params: { _meta: { "vendor.com/accessToken": "[redacted]", deep: { apiKey: "[redacted]" }, traceparent: "00-1" } },
  });
});

test("members that are named like secrets are hidden everywhere, except schemas", () => {
  expect(redactSecrets({ params: { apiKey: "s3cret", list: [{ name: "api_key", value: "s3cret" }] } })).toEqual({
    params: { apiKey: "[redacted]", list: [{ name: "api_key", value: "[redacted]" }] },
  });
  const schema = { properties: { password: { type: "string" } }, inputTokens: 5 };
  expect(redactSecrets(schema)).toBe(schema);
});

test("each name of a secret is hidden in _meta", () => {
  const names = ["passphrase", "passwd", "pwd", "bearer", "cookie", "privateKey", "access_key", "session-key"];
  for (const name of names) {
    expect(redactSecrets({ _meta: { [name]: "s3cret" } })).toEqual({ _meta: { [name]: "[redacted]" } });
  }
});

test("a message without secrets is not copied", () => {
  const message = {
    method: "session/update",
    params: { update: { content: { type: "text", text: "token" } }, tokens: 5 },
  };
  expect(redactSecrets(message)).toBe(message);
});
