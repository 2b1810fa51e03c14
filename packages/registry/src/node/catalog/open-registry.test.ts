import { generateKeyPairSync, sign } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import { type Route, TestServer } from "../../../test/server.js";
import { type FixedRegistryLimits, type OpenRegistryOptions, openRegistry, openRegistryWith } from "./open-registry.js";
import type { RegistrySource } from "./registry-source.js";

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const npx = (version: string) => ({ npx: { package: `@test/small@${version}` } });
const document = (version: string, id = "small") =>
  JSON.stringify({ version: "1.0.0", agents: [agentOf(npx(version), { id, version })] });
const open = (
  sources: readonly RegistrySource[],
  options: OpenRegistryOptions = {},
  fixed: Partial<FixedRegistryLimits> = {},
) => {
  const all = { cacheDirectory: join(place.path, "cache"), maxAgeMs: 0, sources, ...options };
  return openRegistryWith(all, { timeoutMs: 2_000, ...fixed });
};
const source = () => ({ url: `${server.url}/registry.json` });
const versionOf = async (opened: ReturnType<typeof open>) => (await opened).get("small")?.agent.version;

describe("a registry at a URL", () => {
  it("is fetched again only after maxAgeMs, and with its ETag", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    expect(await versionOf(open([source()]))).toBe("1.0.0");
    expect(await versionOf(open([source()]))).toBe("1.0.0"); // confirmed by its ETag: 304
    expect(await versionOf(open([source()], { maxAgeMs: 60_000 }))).toBe("1.0.0"); // without a request
    expect(server.requests).toEqual(["GET /registry.json", "GET /registry.json"]);
    server.routes.set("/registry.json", document("1.1.0"));
    expect(await versionOf(open([source()]))).toBe("1.1.0");
  });

  it("registry.offline: is used from the cache while the server fails, and is reported as stale", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    await open([source()]);
    for (const failure of [
      undefined, // 404
      "<html>a login page</html>",
      JSON.stringify({ agents: 1 }),
      ((_, response) => void response.writeHead(500).end()) as Route,
      ((_, response) => void response.destroy()) as Route,
    ]) {
      if (failure === undefined) server.routes.delete("/registry.json");
      else server.routes.set("/registry.json", failure);
      const registry = await open([source()]);
      expect(registry.get("small")?.agent.version).toBe("1.0.0");
      expect(registry.sources).toMatchObject([{ state: "stale", problems: [{ message: expect.any(String) }] }]);
    }
    await server.close();
    expect((await open([source()])).sources).toMatchObject([{ state: "stale" }]);
    expect((await open([source()], { offline: true })).sources).toMatchObject([{ state: "current", problems: [] }]);
    await server.start();
  });

  it("can be read without a time limit", async () => {
    server.routes.set("/registry.json", (_, response) => void setTimeout(() => response.end(document("1.0.0")), 20));
    expect(await versionOf(open([source()], {}, { timeoutMs: Number.POSITIVE_INFINITY }))).toBe("1.0.0");
  });

  it("is unavailable if the server exceeds the time limit or the size limit, or breaks off", async () => {
    server.routes.set("/registry.json", (_, response) => {
      response.writeHead(200).write("{");
      setImmediate(collectGarbage); // the time limit must survive it
    });
    const signal = new AbortController().signal;
    const slow = await open([source()], { signal }, { timeoutMs: 200 });
    expect(slow.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("no complete response within 200 ms") }] },
    ]);
    server.routes.set("/registry.json", (_, response) => {
      response.writeHead(200, { "content-length": 2 }).write("{", () => response.destroy());
    });
    const broken = await open([source()]);
    expect(broken.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("the response ended") }] },
    ]);
    server.routes.set("/registry.json", document("1.0.0").padEnd(100_000));
    const large = await open([source()], {}, { maxBytes: 50_000 });
    expect(large.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("larger than 50000") }] },
    ]);
  });

  it("is read through redirects to secure URLs only", async () => {
    server.routes.set("/moved", (_, response) => void response.writeHead(302, { location: "/registry.json" }).end());
    server.routes.set("/registry.json", document("1.0.0"));
    expect(await versionOf(open([{ url: `${server.url}/moved` }]))).toBe("1.0.0");
    server.routes.set(
      "/away",
      (_, response) => void response.writeHead(302, { location: "http://registry.example/" }).end(),
    );
    const away = await open([{ url: `${server.url}/away` }]);
    expect(away.sources[0]?.problems[0]?.message).toContain("must be an https: URL");
    server.routes.set("/round", (_, response) => void response.writeHead(302, { location: "/round" }).end());
    expect((await open([{ url: `${server.url}/round` }])).sources[0]?.problems[0]?.message).toContain(
      "more than 10 times",
    );
  });

  it("is unavailable after a redirect to an invalid URL; the other sources are used", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    server.routes.set("/wrong", (_, response) => void response.writeHead(302, { location: "https://[" }).end());
    const registry = await open([{ url: `${server.url}/wrong` }, source()]);
    expect(registry.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("is not a URL") }] },
      { state: "current" },
    ]);
  });

  it("is reported without the credentials of its URL", async () => {
    const { host } = new URL(server.url);
    const urls = [
      `http://user:secret@${host}/registry.json`,
      `http://user:pass@secret@${host}/registry.json`,
      `http://${host}/missing.json?token=secret`,
      `https://user:secret@[${host}/registry.json?token=secret`,
    ];
    const { sources } = await open(urls.map((url) => ({ url })));
    expect(sources.map(({ state }) => state)).toEqual(urls.map(() => "unavailable"));
    expect(JSON.stringify(sources)).not.toContain("secret");
  });

  it("is fetched again when its expected checksum changes, even if the cached text is new", async () => {
    const [one, other] = [document("1.0.0"), document("1.1.0")];
    const pinned = (text: string) =>
      open([{ ...source(), sha256: sha256Of(Buffer.from(text)), required: true }], { maxAgeMs: 60_000 });
    server.routes.set("/registry.json", one);
    expect(await versionOf(pinned(one))).toBe("1.0.0");
    server.routes.set("/registry.json", other);
    expect(await versionOf(pinned(other))).toBe("1.1.0");
  });

  it("is reported with the status of a missing signature, also if the error page is large", async () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    server.routes.set("/registry.json", document("1.0.0"));
    const page = "not found".repeat(1_000);
    server.routes.set("/registry.json.sig", (_, response) => void response.writeHead(404).end(page));
    const { sources } = await open([{ ...source(), publicKey: pem }]);
    expect(sources[0]?.problems[0]?.message).toContain("status 404");
  });

  it("is refused with a wrong checksum or without a valid signature", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const text = document("1.0.0");
    server.routes.set("/registry.json", text);
    const summed = (sha256: string) => open([{ ...source(), sha256, required: true }]);
    await expect(summed("0".repeat(64))).rejects.toMatchObject({ code: "checksum_mismatch" });
    expect((await summed(sha256Of(Buffer.from(text)))).entries).toHaveLength(1);
    const signed = () => open([{ ...source(), publicKey: pem, required: true }]);
    await expect(signed()).rejects.toMatchObject({ code: "checksum_mismatch" });
    server.routes.set("/registry.json.sig", sign(null, Buffer.from("another text"), privateKey).toString("base64"));
    await expect(signed()).rejects.toMatchObject({ code: "checksum_mismatch" });
    server.routes.set("/registry.json.sig", sign(null, Buffer.from(text), privateKey).toString("base64"));
    expect((await signed()).entries).toHaveLength(1);
  });

  it("has its signature in a file beside it, also if its URL has a query", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const text = document("1.0.0");
    const queries: unknown[] = [];
    const serve =
      (body: string): Route =>
      (request, response) => {
        queries.push(request.url?.split("?")[1]);
        response.end(body);
      };
    server.routes.set("/registry.json", serve(text));
    server.routes.set("/registry.json.sig", serve(sign(null, Buffer.from(text), privateKey).toString("base64")));
    expect(await versionOf(open([{ url: `${source().url}?token=t`, publicKey: pem, required: true }]))).toBe("1.0.0");
    expect(queries).toEqual(["token=t", "token=t"]);
  });

  it("receives the configured headers only at its own origin", async () => {
    const other = await new TestServer().start();
    const seen: unknown[] = [];
    other.routes.set("/registry.json", (request, response) => {
      seen.push(request.headers.authorization);
      response.end(document("1.0.0"));
    });
    server.routes.set("/registry.json", (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${other.url}/registry.json` }).end();
    });
    expect(await versionOf(open([{ ...source(), headers: { authorization: "Bearer t" } }]))).toBe("1.0.0");
    expect(seen).toEqual(["Bearer t", undefined]);
    await other.close();
  });

  it("is fetched again if its cache entry is damaged", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    await open([source()]);
    const [name = ""] = readdirSync(join(place.path, "cache"));
    for (const text of ["", "{", "null", '{"text":"{}","fetchedAt":1,"checkedAt":1,"sha256":"x"}']) {
      writeFileSync(join(place.path, "cache", name), text);
      expect(await versionOf(open([source()], { maxAgeMs: 1e12 }))).toBe("1.0.0");
    }
  });
});

describe("several sources", () => {
  it("are merged in order: the first source with an id describes the agent", async () => {
    writeFileSync(join(place.path, "company.json"), document("9.0.0"));
    server.routes.set(
      "/registry.json",
      JSON.stringify({ version: "1.0.0", agents: [agentOf(npx("1.0.0")), agentOf(npx("1.0.0"), { id: "other" })] }),
    );
    const registry = await open([{ file: join(place.path, "company.json"), name: "company" }, source()]);
    expect(registry.get("small")).toMatchObject({ source: "company", agent: { version: "9.0.0" } });
    expect(registry.entries.map(({ agent }) => agent.id)).toEqual(["other", "small"]);
    expect(registry.search("OTH").map(({ agent }) => agent.id)).toEqual(["other"]);
  });

  it("are used without a source that can't be read, unless that source is required", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    const missing = { file: join(place.path, "missing.json") };
    const registry = await open([missing, source()]);
    expect(registry.sources.map(({ state }) => state)).toEqual(["unavailable", "current"]);
    await expect(open([{ ...missing, required: true }, source()])).rejects.toMatchObject({ code: "unreachable" });
  });

  it("are replaced by the snapshot if offline and never fetched before", async () => {
    const registry = await openRegistry({ cacheDirectory: join(place.path, "cache"), offline: true });
    expect(registry.sources).toMatchObject([
      {
        name: "the public registry",
        state: "snapshot",
        checkedAt: expect.any(Number),
        snapshot: { takenOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), source: expect.stringContaining(" ") },
      },
    ]);
    expect(registry.sources[0]?.problems.filter(({ path }) => path !== "")).toEqual([]);
    expect(registry.entries.length).toBeGreaterThan(10);
    expect(registry.get("gemini")?.agent.distribution.npx?.package).toMatch(/^@google\/gemini-cli@/);
  });

  it("report the three most similar ids for an unknown id", async () => {
    const registry = await openRegistry({ cacheDirectory: join(place.path, "cache"), offline: true });
    expect(() => registry.getOrThrow("gemni")).toThrow(
      /No registry has an agent "gemni". The nearest names are gemini, /,
    );
    expect(() => registry.getOrThrow("claude")).toThrow(/are claude-acp, /);
  });
});
