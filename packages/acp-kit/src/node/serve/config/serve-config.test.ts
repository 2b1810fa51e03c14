import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../../../../test/fake-host.js";
import { packageFile } from "../../version.js";
import { checkConfig } from "./schema-check.js";
import { readServeConfig } from "./serve-config.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file with this content. */
function file(content: unknown): string {
  const path = join(folder, "team.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const schema = JSON.parse(readFileSync(packageFile("serve-config.schema.json"), "utf8"));
const agent = { command: "gemini" };
writeFileSync(join(folder, "ann.token"), "token-of-ann\n");
writeFileSync(join(folder, "same.token"), "token-of-ann\n");
writeFileSync(join(folder, "two.token"), "two words\n");
writeFileSync(join(folder, "not.pem"), "not a certificate");

describe("serve.bad-configuration: one sentence that names file, key and expectation, and exit code 2", () => {
  it.each<[unknown, string]>([
    ['{ "listen": ', "the file is not valid JSON"],
    [[], "the configuration must be an object."],
    [{ agnet: agent }, "agnet is not a key of the configuration; did you mean agent?"],
    [{ agent, listn: "127.0.0.1:1" }, "listn is not a key of the configuration; did you mean listen?"],
    [{ agent, something: 1 }, "something is not a key of the configuration; the keys are $schema, agent, listen"],
    [{ agent: {} }, "agent.command is missing."],
    [{ agent: "gemini --acp" }, "agent must be an object."],
    [{ agent: { command: "" } }, "agent.command must be a string that is not empty."],
    [{ agent: { command: "gemini", args: ["--acp", 1] } }, "agent.args[1] must be a string."],
    [{ agent: { command: "gemini", env: { KEY: 1 } } }, "agent.env.KEY must be a string."],
    [{ agent, listen: "nowhere" }, "listen must be host:port"],
    [{ agent, listen: 8080 }, "listen must be a string that is not empty."],
    [{ agent, auth: "basic" }, "auth must be one of token, none."],
    [{ agent, protocol: "2" }, "protocol must be one of 1, auto."],
    [{ agent, protocol: 1 }, "protocol must be one of 1, auto."],
    [{ agent, users: [] }, "users must be a list that is not empty."],
    [{ agent, users: [{ user: "ann" }] }, "users[0].tokenFile is missing."],
    [{ agent, users: [{ user: "ann", tokenFile: "no.token" }] }, "users[0].tokenFile"],
    [
      { agent, users: ["ann", "same"].map((user) => ({ user, tokenFile: `${user}.token` })) },
      "users[1].tokenFile must contain another token than that of users[0].",
    ],
    [{ agent, auth: "none", users: [{ user: "ann", tokenFile: "ann.token" }] }, "auth must be token if there are"],
    [
      { agent, tokenFile: "ann.token", users: [{ user: "ann", tokenFile: "ann.token" }] },
      "tokenFile is not allowed with users",
    ],
    [
      { agent, engine: "none", users: [{ user: "ann", tokenFile: "ann.token" }] },
      "engine must not be none if there are users",
    ],
    [
      { agent, metrics: true, engine: "none" },
      "metrics needs sessions to count, but with the engine none there are no sessions.",
    ],
    [{ agent, metrics: true, users: [{ user: "ann", tokenFile: "ann.token" }] }, "metrics needs a user who may read"],
    [{ agent, policy: { retention: { maxTurns: 0 } } }, "policy.retention.maxTurns must be an integer of at least 1."],
    [{ agent, engine: "mongodb://me:secret@host/1" }, "engine: there is no engine mongodb."],
    [{ agent, engine: "sqlite:" }, 'engine "sqlite:" must name an engine.'],
    [{ agent, tls: { certFile: "not.pem" } }, "tls.keyFile is missing."],
    [{ agent, tls: { certFile: "no.pem", keyFile: "no.pem" } }, "tls.certFile"],
    [{ agent, tls: { certFile: "not.pem", keyFile: "not.pem" } }, "must be a certificate and its key, as PEM"],
    [{ agent: { command: "gemini", cwd: "nowhere" } }, "nowhere must be a folder that exists."],
    [{ agent, allowHosts: ["agents.example.com", "https://agents.example.com"] }, "allowHosts[1] https://"],
    [
      { agent, allowOrigins: ["https://app.example.com/page"] },
      "allowOrigins[0] https://app.example.com/page: an origin is",
    ],
    [{ agent, tokenFile: "no.token" }, "tokenFile"],
    [{ agent, tokenFile: "two.token" }, "tokenFile"],
    [{ agent, tokenFile: "ann.token", auth: "none" }, "auth none and "],
    [{ agent, users: [{ user: "ann", tokenFile: "two.token" }] }, "two.token contains characters that are not allowed"],
    [
      { agent, engine: "redis://host", cluster: { address: "7700", secretFile: "ann.token" } },
      'cluster.address must be host:port, such as 10.0.0.3:7700, not "7700".',
    ],
    [
      { agent, engine: "redis://host", cluster: { address: "10.0.0.3:7700", listen: "all", secretFile: "ann.token" } },
      'cluster.listen must be host:port, such as 10.0.0.3:7700, not "all".',
    ],
    [{ agent, warm: 1.5 }, "warm must be an integer from 0 to 100."],
    [{ agent, drainGraceMs: -1 }, "drainGraceMs must be a number from 0 to 86400000."],
    [{ agent, policy: { delegate: { files: "yes" } } }, "policy.delegate.files must be true or false."],
    [{ agent, policy: { sleepAfterMs: 0 } }, "policy.sleepAfterMs must be an integer of at least 1."],
    [
      { agent, limits: { maxConections: 3 } },
      "limits.maxConections is not a limit. The limits are maxConnectionsPerPrincipal",
    ],
    [
      { agent, limits: { maxConnectionsPerPrincipal: "3" } },
      "limits.maxConnectionsPerPrincipal must be an integer of at least 1.",
    ],
    [{ agent, http: { maxBody: 3 } }, "http.maxBody is not a limit. The limits are "],
    ['{ "agent": { "command": "gemini" }, "__proto__": {} }', "__proto__ is not a key of the configuration"],
  ])("%j", async (content, sentence) => {
    const path = file(content);
    const { code, out, err } = await run(["serve", "--config", path]);
    expect(err).toContain(sentence);
    expect(err).toContain(path);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toContain("token-of-ann");
    expect(err).not.toContain("--");
    expect(err).not.toContain("secret");
  });

  it("reports a missing file by its path", async () => {
    const { code, err } = await run(["serve", "--config", join(folder, "none.json")]);
    expect(err).toContain(`Can't read --config ${join(folder, "none.json")}`);
    expect(code).toBe(2);
  });

  it("requires an agent, in the file or on the command line", async () => {
    const { code, err } = await run(["serve", "--config", file({})]);
    expect(err).toContain("The agent is missing");
    expect(code).toBe(2);
  });
});

it("resolves paths relative to the folder of the file", () => {
  const config = readServeConfig(
    file({
      agent: { command: "gemini", cwd: "work" },
      engine: "sqlite:sessions.db",
      tls: { certFile: "cert.pem", keyFile: "/etc/key.pem" },
      users: [{ user: "ann", tokenFile: "tokens/ann" }],
    }),
  );
  expect(config).toMatchObject({
    agent: { command: "gemini", cwd: join(folder, "work") },
    engine: `sqlite:${join(folder, "sessions.db")}`,
    tls: { certFile: join(folder, "cert.pem"), keyFile: "/etc/key.pem" },
    users: [{ user: "ann", tokenFile: join(folder, "tokens", "ann") }],
  });
});

it("resolves the path of the agent's program relative to the folder of the file, and leaves a name on the PATH alone", () => {
  const commandOf = (command: string) => readServeConfig(file({ agent: { command } })).agent?.command;
  expect(commandOf("./agent.sh")).toBe(join(folder, "agent.sh"));
  expect(commandOf("bin/agent")).toBe(join(folder, "bin", "agent"));
  expect(commandOf("gemini")).toBe("gemini");
  expect(commandOf(join(folder, "agent"))).toBe(join(folder, "agent"));
});

it("the check agrees with a complete validator of JSON Schema", () => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const leaf = fc.oneof(
    fc.constantFrom<unknown>("", "token", "none", "full", "a", null, true, 0, 1, 1.5, -1, 99, 200, 90_000, [], {}),
    fc.jsonValue(),
  );
  const some = (names: readonly string[]) =>
    fc.dictionary(fc.constantFrom(...names, "other"), leaf, { noNullPrototype: true });
  const inner = some([
    "command",
    "args",
    "env",
    "user",
    "tokenFile",
    "access",
    "certFile",
    "keyFile",
    "files",
    "maxAgents",
  ]);
  const config = fc.dictionary(
    fc.constantFrom(...Object.keys(schema.properties), "other"),
    fc.oneof(leaf, inner, fc.array(inner, { maxLength: 3 })),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.oneof(config, leaf), (value) => {
      expect(checkConfig(value, schema) === undefined).toBe(validate(value));
    }),
    { numRuns: 2_000 },
  );
});
