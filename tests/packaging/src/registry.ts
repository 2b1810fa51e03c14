import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@acp-kit/configs/free-port";

/** A registry on this machine, empty at first. Everyone with its token may publish. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The variables that npm and pnpm need to publish to the registry. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the newest version of a package, by its `latest` tag. */
  latest(name: string): Promise<string | undefined>;
}

/** Starts verdaccio on a free port of the loopback interface, with its storage in a temporary folder. */
export async function startRegistry(): Promise<Registry> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-registry-")));
  const config = {
    storage: join(scratch, "storage"),
    web: { enable: false },
    auth: { htpasswd: { file: join(scratch, "htpasswd") } },
    uplinks: {},
    packages: { "**": { access: "$all", publish: "$authenticated" } },
    log: { type: "stdout", format: "json", level: "warn" },
    max_body_size: "100mb",
  };
  writeFileSync(join(scratch, "config.yaml"), JSON.stringify(config)); // JSON is also YAML.
  const port = await freePort(); // verdaccio reports the port of its options, so a free port must be found first
  const program = createRequire(import.meta.url).resolve("verdaccio/bin/verdaccio");
  const args = [program, "--config", join(scratch, "config.yaml"), "--listen", `127.0.0.1:${port}`];
  const server = spawn(process.execPath, args, { cwd: scratch, stdio: ["ignore", "pipe", "inherit"] });
  await listening(server);
  const host = `//127.0.0.1:${port}/`;
  const url = `http:${host}`;
  const response = await fetch(`${url}-/user/org.couchdb.user:tester`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "tester", password: "a-password-for-tests" }),
  });
  const { token } = (await response.json()) as { token: string };
  // The token is in a file. Shells drop variables whose names contain a slash, and programs of `.bin` are shell
  // scripts.
  const userconfig = join(scratch, "npmrc");
  writeFileSync(userconfig, `${host}:_authToken=${token}\n`);
  return {
    url,
    environment: { npm_config_userconfig: userconfig },
    async latest(name) {
      const found = await fetch(`${url}${name.replace("/", "%2f")}`);
      if (!found.ok) return undefined;
      return ((await found.json()) as { "dist-tags": { latest: string } })["dist-tags"].latest;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function listening({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error("The registry's output is not a pipe.");
  const lines = createInterface(stdout);
  for await (const line of lines) if (line.includes("http address")) return void stdout.resume();
  throw new Error("The registry ended before it listened.");
}
