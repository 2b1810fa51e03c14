import { describe, expect, it } from "vitest";
import { redactingTap } from "./redacting-tap.js";
import { createRedactor } from "./redactor.js";

const secret = "MARK-7f3a9c";

/** The message with a part of a session's text. */
function chunk(text: string) {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return { method: "session/update", params: { sessionId: "s1", update } };
}

describe("a redactor", () => {
  it("remembers the values of cookies, but not the attributes of `Set-Cookie`", () => {
    const redactor = createRedactor();
    const attributes =
      "Domain=docs.example.com; path=/account; HttpOnly; SameSite=Strict; Expires=Wed, 21 Oct 2026 07:28:00 GMT";
    redactor.redact({
      headers: { "Set-Cookie": `sid=${secret}1; ${attributes}`, Cookie: `a=${secret}2; b=${secret}3` },
    });
    expect(redactor.redactText(attributes)).toBe(attributes);
    expect(redactor.redactText(`${secret}1, ${secret}2, ${secret}3`)).toBe("[redacted], [redacted], [redacted]");
  });

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

  it("hides in _meta what it hides elsewhere", () => {
    const names = ["passphrase", "cookie", "bearer", "pwd", "privateKey", "access_key", "session key", "licenseKey"];
    for (const name of names) {
      for (const value of [
        { [name]: secret },
        { _meta: { [name]: secret } },
        { _meta: { [`${name}.of.vendor`]: secret } },
      ])
        expect(JSON.stringify(createRedactor().redact(value)), JSON.stringify(value)).not.toContain(secret);
      expect(createRedactor().redactCommand([`--${name.replace(" ", "-")}`, secret])).toContain("[redacted]");
    }
  });

  it("hides a token before the @ of an address, but not the name of a user", () => {
    for (const token of ["Zq7it2b4l8u5X9", "0a1b2c3d", "AbCdEfGhIjKlMnOpQrStUv", "a%40b%3Ac"])
      for (const text of [`https://${token}@host/x`, `wss://${token}@[::1]:80`, `{"url":"https:\\/\\/${token}@host"}`])
        expect(createRedactor().redactText(text), text).toBe(text.replace(token, "[redacted]"));
    for (const text of [
      "ssh://git@host/x.git",
      "postgres://app-user2@db",
      "https://ada.lovelace@host/x@y",
      "https://host/@a1b2c3d4",
    ])
      expect(createRedactor().redactText(text)).toBe(text);
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

  it("secret.by-value: hides secrets in the output of terminals of version 2, also if they are split between chunks", () => {
    const token = "sk-abcdefghijklmnop1234";
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const message = (update: object): object => ({ method: "session/update", params: { sessionId: "s", update } });
    const output = (given: unknown): string =>
      Buffer.from((given as { data: string }).data ?? "", "base64").toString("utf8");
    const hide = createRedactor().messages();
    const shown = [`é KEY=${token.slice(0, 12)}`, `${token.slice(12)}\nmore é`].map((text) => {
      const chunk = { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(text) };
      return output((hide(message(chunk)) as { params: { update: unknown } }).params.update);
    });
    expect(shown.join("")).not.toContain(token.slice(12));
    expect(shown.join("")).toMatch(/^é KEY=.*\nmore é$/s);
    const snapshot = { sessionUpdate: "terminal_update", terminalId: "t", output: { data: base64(`a ${token}`) } };
    const { params } = hide(message(snapshot)) as { params: { update: { output: unknown } } };
    expect(output(params.update.output)).toBe("a [redacted]");
    for (const data of ["no base64!", 5, undefined, base64("plain")]) {
      const odd = message({ sessionUpdate: "terminal_output_chunk", terminalId: "other", data });
      expect(hide(odd)).toBe(odd);
    }
  });

  it("hides secrets in a text that begins like the replacement of a secret", () => {
    const token = "sk-abcdefghijklmnop1234";
    for (const text of [`[redacted] call with ${token}`, `[redacted ${token}`, `TOKEN=[redacted:TOKEN=${secret}`]) {
      const shown = JSON.stringify([createRedactor().redact({ text }), createRedactor().redactText(text)]);
      expect(shown).not.toContain(token);
      expect(shown).not.toContain(secret);
    }
    expect(createRedactor().redact({ token: `[redacted]${secret}` })).toEqual({ token: "[redacted]" });
  });

  it("does not change a value or a text that is redacted already", () => {
    const redactor = createRedactor();
    const deep = redactor.redact(JSON.parse(`${"[".repeat(300)}1${"]".repeat(300)}`));
    const values = [deep, { env: { A: "[redacted]" } }, { token: "[redacted]" }, { args: ["--token", "[redacted]"] }];
    for (const value of values) expect(redactor.redact(value)).toBe(value);
    for (const text of [
      "TOKEN=[redacted]",
      'token: "[redacted]"',
      "--api-key [redacted] x",
      "token=[redacted: nested too deep]",
    ])
      expect(redactor.redactText(text)).toBe(text);
  });

  it("hides a private key that arrives line by line, and shows the lines around it", () => {
    const redactor = createRedactor();
    const show = redactor.lines();
    const key = ["-----BEGIN PRIVATE KEY-----", `MIIEvQ${secret}`, `MzEfYy${secret}`];
    expect(["before", ...key, "-----END PRIVATE KEY----- after", "last"].map(show)).toEqual([
      "before",
      ...["[redacted]", "[redacted]", "[redacted]"],
      "[redacted] after",
      "last",
    ]);
    expect(redactor.redactText(`a line was MIIEvQ${secret}`)).toBe("a line was [redacted]");
  });

  it("shows lines again after a private key that is too long", () => {
    const show = createRedactor().lines();
    show("-----BEGIN PRIVATE KEY-----");
    const shown = Array.from({ length: 2_000 }, (_, n) => show(`line ${n} of the log`));
    expect(shown[0]).toBe("[redacted]");
    expect(shown.at(-1)).toBe("line 1999 of the log");
  });

  it("hides values in members of properties, but not the schemas there", () => {
    const values = { properties: { password: secret, token: 12_345_678 } };
    const hidden = { properties: { password: "[redacted]", token: "[redacted]" } };
    expect(createRedactor().redact({ rawInput: values })).toEqual({ rawInput: hidden });
    expect(createRedactor().redactText(JSON.stringify({ properties: { password: secret } }))).not.toContain(secret);
    const schema = {
      properties: { password: { type: "string", title: "Your password" }, secret: true, env: { type: "object" } },
    };
    expect(createRedactor().redact(schema)).toBe(schema);
    const text = JSON.stringify(schema);
    expect(createRedactor().redact({ text })).toEqual({ text });
  });

  it("hides values of flags that have their value in the same word", () => {
    const redactor = createRedactor();
    const words = ["--env=THING=A-value", "-eTHING=B-value", "-HX-Thing: C-value", "--header=X-Thing: D-value"];
    expect(redactor.redactCommand(["docker", ...words, "--env=test", "-encoding=latin"])).toEqual([
      "docker",
      "--env=THING=[redacted]",
      "-eTHING=[redacted]",
      "-HX-Thing:[redacted]",
      "--header=X-Thing:[redacted]",
      "--env=test",
      "-encoding=latin",
    ]);
  });

  it("does not change a program in a command line, after -e", () => {
    for (const words of [
      ["node", "-e", "console.log('still here'); setInterval(() => {}, 1000)"],
      ["sed", "-e", "s/a=b/c=d-and-more/"],
      ["perl", "-e", "x=1; print x"],
    ]) {
      const redactor = createRedactor();
      expect(redactor.redactCommand(words)).toEqual(words);
      expect(redactor.redact({ args: words.slice(1) })).toEqual({ args: words.slice(1) });
    }
    const command = ["docker", "run", "-e", "API=abc-123456", "-e", "my_token=abc-123456", "--env", "own=abc-123456"];
    expect(createRedactor().redactCommand(command).join(" ")).not.toContain("abc");
  });

  it("hides passwords named pwd, but no working directory", () => {
    const cwd = "/home/ada/project";
    const redactor = createRedactor();
    redactor.learn({ PWD: cwd, OLDPWD: `${cwd}/old`, DB_PWD: secret });
    expect(redactor.redact({ cwd, PWD: cwd, path: `${cwd}/a.ts` })).toEqual({ cwd, PWD: cwd, path: `${cwd}/a.ts` });
    expect(redactor.redactText(`in ${cwd}/old with ${secret}`)).toBe(`in ${cwd}/old with [redacted]`);
    // The member may be a password, so its value is hidden there.
    expect(redactor.redact({ pwd: cwd, path: cwd })).toEqual({ pwd: "[redacted]", path: cwd });
    expect(redactor.redact({ text: JSON.stringify({ pwd: cwd, path: cwd }) })).toEqual({
      text: JSON.stringify({ pwd: "[redacted]", path: cwd }),
    });
    expect(redactor.redact({ pwd: "hunter2", text: "it is hunter2" })).toEqual({
      pwd: "[redacted]",
      text: "it is [redacted]",
    });
  });

  it("secret.by-value: hides a secret that is split between chunks, for each reader of the messages", () => {
    const redactor = createRedactor();
    redactor.addSecret("Zq7MARK9f3a8c41d2e6b705x");
    const shown: [string, string] = ["", ""];
    const text = (message: unknown) => (message as ReturnType<typeof chunk>).params.update.content.text;
    const recorder = redactor.messages();
    const recording = ({ message }: { message: unknown }) => {
      shown[1] += text(recorder(message));
    };
    const tap = redactingTap((event) => {
      shown[0] += text(event.message);
      recording(event);
    }, redactor);
    const other = redactor.messages();
    for (const part of ["the Zq7MARK9f3a8c", "41d2e6", "b705x."]) {
      tap({ direction: "received", message: chunk(part), malformed: false } as never);
      other(chunk(part));
    }
    for (const all of shown) expect(all).toMatch(/^the (?:\[redacted\])+\.$/);
  });

  it("hides a secret that is split between chunks, although it was never seen as a whole", () => {
    const token = "sk-ant-api03-AbCdEf0123456789AbCdEf0123456789xyz";
    const keyLines = [
      "-----BEGIN PRIVATE KEY-----",
      "MIIEvQIBADANBgkq",
      "hkiG9w0BAQEFAASC",
      "-----END PRIVATE KEY-----",
    ];
    const secrets: readonly (readonly [text: string, parts: readonly string[]])[] = [
      [`The key is ${token}, ok`, ["api03-AbCdEf01", "bCdEf0123456789xyz"]],
      ["Send Bearer abcdef0123456789ghi now", ["456789ghi"]],
      ["export API_KEY=abcdefgh12345 first", ["efgh12345"]],
      ["postgres://user:pa55w0rd-x@host/db", ["55w0rd-x"]],
      ["GET https://example.com/?access_token=abcdefgh12345 failed", ["efgh12345"]],
      [`cat key: ${keyLines.join("\n")}\nafter`, ["EvQIBADANBgkq", "w0BAQEFAASC"]],
    ];
    for (const [text, parts] of secrets) {
      for (const size of [1, 3, 5, 17, 40]) {
        const shown = shownInChunks(text, size);
        for (const part of parts) expect(shown, `${text} in chunks of ${size}`).not.toContain(part);
        expect(shown.startsWith(text.slice(0, 3)) && shown.endsWith(text.slice(-2))).toBe(true);
      }
    }
    const long = `eyJhbGciOiJSUzI1NiJ9.${"Ab3".repeat(500)}.${"Yz9_".repeat(100)}`;
    expect(shownInChunks(`a ${long} z`, 7)).toMatch(/^a .{0,14}(?:\[redacted\])+ z$/);
    const cutBeforeHost = shownInChunks("postgres://user:pa55w0rd-x@host", "postgres://user:pa55w0rd-x".length);
    expect(cutBeforeHost).toBe("postgres://user:[redacted]@host");
  });

  it("shows texts in chunks that only resemble a secret", () => {
    for (const text of [
      "Use sk-learn-contrib and npm_lifecycle_event, see http://localhost:8080/a and https://[::1]:80/.",
      "The first line is `-----BEGIN PRIVATE KEY-----` and the last is different. (It ends here.)",
      "Bearer of news, token of trust, a=b&c=d",
    ]) {
      const kept = text.replace(/(?<=-----BEGIN PRIVATE KEY-----)`.*/, "");
      for (const size of [1, 4, 9]) {
        const shown = shownInChunks(text, size);
        if (kept === text) expect(shown).toBe(text);
        else expect(shown).toMatch(/^The first line is `.*\(It ends here\.\)$/);
      }
    }
  });

  it("secret.by-value: hides a remembered secret in every usual encoding", () => {
    const odd = "aB+c/d=e&f<g>h'i\"j k9~(x)*!z\\Qü";
    const json = JSON.stringify(odd).slice(1, -1);
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const texts: Readonly<Record<string, string>> = {
      JSON: json,
      "JSON in JSON": JSON.stringify(JSON.stringify({ odd })),
      "JSON in JSON in JSON": JSON.stringify(JSON.stringify(JSON.stringify([odd]))),
      encodeURIComponent: encodeURIComponent(odd),
      "a form": new URLSearchParams({ q: odd }).toString(),
      base64: base64(`user:${odd}`),
      "base64, at another place in its group": base64(`user1:${odd}!`),
      "base64 of a URL": Buffer.from(`u:${odd}`).toString("base64url"),
    };
    for (const [name, text] of Object.entries(texts)) {
      const redactor = createRedactor();
      redactor.addSecret(odd);
      expect(redactor.redact({ text }), `${name}: ${text}`).toEqual({ text: expect.stringContaining("[redacted]") });
    }
  });

  it("remembers as many secrets of the usual kind as the limits allow", () => {
    const redactor = createRedactor();
    for (let n = 0; n < 256; n += 1)
      redactor.addSecret(`${n}-AbCdEf0123456789/AbCdEf+0123456789-AbCdEf0123456789xyz==`);
    expect(redactor.isFull).toBe(false);
  });

  it("hides a token with a known form in the name of a member", () => {
    const redactor = createRedactor();
    const token = "ghp_0123456789abcdefghijABCDEFGHIJ";
    expect(redactor.redact({ users: { [token]: true } })).toEqual({ users: { "[redacted]": true } });
    expect(redactor.redactText(`it is ${token}`)).toBe("it is [redacted]");
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

/** Redacts the chunks of a text, and joins them. */
function shownInChunks(text: string, size: number): string {
  const redact = createRedactor().messages();
  let shown = "";
  for (let at = 0; at < text.length; at += size) {
    shown += (redact(chunk(text.slice(at, at + size))) as ReturnType<typeof chunk>).params.update.content.text;
  }
  return shown;
}
