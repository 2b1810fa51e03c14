import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type ModelServer, modelRecipeFor, modelSetup } from "@acp-kit/testing/model";
import type { AgentCommand } from "../../agent-target.js";

/** An agent with a temporary home and working directory, and with a scripted model. */
export interface SandboxedAgent extends Disposable {
  readonly spawn: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Record<string, string>;
    readonly inheritEnv: false;
    readonly cwd: string;
  };
  readonly cwd: string;
  readonly home: string;
  /** The login method that uses the API key of the environment. */
  readonly authMethod: string | undefined;
}

/** A proxy address on which nothing listens, so that requests to other machines fail immediately. */
const nowhere = "http://127.0.0.1:9";

/** Prepares an agent that can use neither the user's home folder nor the network. Each run starts in the same state. */
export function sandboxAgent({ command, args, env = {} }: AgentCommand, model: ModelServer): SandboxedAgent {
  const box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-matrix-"));
  const [home, cwd, temporary] = [join(box, "home"), join(box, "work"), join(box, "tmp")];
  for (const folder of [home, cwd, temporary]) mkdirSync(folder);
  writeFileSync(join(cwd, "hello.txt"), "hello\n");
  const recipe = modelRecipeFor([command, ...args]);
  const setup = recipe === undefined ? { env: {}, files: {} } : modelSetup(recipe, model.url);
  for (const [name, text] of Object.entries(setup.files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const own = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const variables = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    IS_SANDBOX: "1", // Claude Code refuses to run as root without it
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1,localhost,::1",
    ...model.env,
    ...setup.env,
    ...Object.fromEntries(own),
  };
  return {
    spawn: { command, args, env: variables, inheritEnv: false, cwd },
    cwd,
    home,
    authMethod: recipe?.authMethod,
    [Symbol.dispose]: () => rmSync(box, { recursive: true, force: true, maxRetries: 3 }),
  };
}
