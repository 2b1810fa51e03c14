import { dirname, resolve } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { isArguments, isText, isVariables } from "../catalog/decode-members.js";
import type { RegistrySource } from "../catalog/registry-source.js";
import { RegistryError } from "../errors.js";
import { settingsFile, type Variables } from "../files/directories.js";
import { readBounded, withoutMark } from "../files/read-bounded.js";
import type { AgentSettings, FoundSettings } from "./agent-settings.js";

/** The contents of the user's settings file. */
export interface OwnSettings extends FoundSettings {
  /** The registries to read, in order of precedence, instead of the public registry. */
  readonly registries?: readonly RegistrySource[];
}

const maxBytes = 1_048_576;
const texts = ["command", "agent", "permissions", "model", "mode"] as const;

/**
 * Reads the user's settings file, `~/.config/acp-kit/agents.json`. Returns no agents if the file does not exist.
 *
 * @throws {RegistryError} `invalid_settings`, with the path of the invalid member.
 */
export async function readOwnSettings(
  env: Variables = process.env,
  file: string = settingsFile(env),
): Promise<OwnSettings> {
  const text = await readBounded(file, maxBytes).catch((cause: Error) => {
    throw new RegistryError("invalid_settings", cause.message, { cause });
  });
  if (text === undefined) return { agents: {}, file };
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(text));
  } catch (cause) {
    throw mistake(file, "", `the file is not JSON${placeIn(cause)}`);
  }
  if (!isJsonObject(value)) throw mistake(file, "", "expected an object with `agents`");
  checkMembers(file, "", value, ["$schema", "agents", "registries"]);
  const { agents = {}, registries } = value;
  if (!isJsonObject(agents)) throw mistake(file, "agents", "expected an object of agents by name");
  for (const [name, agent] of Object.entries(agents)) checkAgent(file, name, agent);
  return {
    agents: agents as Record<string, AgentSettings>,
    file,
    ...(registries !== undefined && { registries: readRegistries(file, registries) }),
  };
}

/** Returns the place of an error of `JSON.parse`. Its message quotes the file, whose variables may be secrets. */
function placeIn(cause: unknown): string {
  const at = /position \d+(?: \(line \d+ column \d+\))?/.exec((cause as Error).message);
  return at === null ? "" : `, at ${at[0]}`;
}

function checkAgent(file: string, name: string, agent: unknown): void {
  const at = `agents.${name}`;
  if (!/^\w[\w.-]{0,127}$/.test(name)) throw mistake(file, at, "expected a name of letters, digits, `.`, `_` and `-`");
  if (!isJsonObject(agent)) throw mistake(file, at, "expected an object");
  checkMembers(file, `${at}.`, agent, [...texts, "args", "env"]);
  for (const key of texts) {
    if (agent[key] !== undefined && !isText(agent[key])) throw mistake(file, `${at}.${key}`, "expected a text");
  }
  if (agent.args !== undefined && !isArguments(agent.args))
    throw mistake(file, `${at}.args`, "expected a list of strings");
  if (agent.env !== undefined && !isVariables(agent.env))
    throw mistake(file, `${at}.env`, "expected an object of strings");
  if (agent.command !== undefined && agent.agent !== undefined) {
    throw mistake(file, at, "expected either `command` or `agent`");
  }
}

/** Refuses misspelt members. Ignoring one could mean to ignore the public key of a registry. */
function checkMembers(file: string, inside: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw mistake(file, `${inside}${unknown}`, `unknown member; expected one of ${known.join(", ")}`);
}

function readRegistries(file: string, value: unknown): readonly RegistrySource[] {
  if (!Array.isArray(value)) throw mistake(file, "registries", "expected a list");
  return value.map((each: unknown, index): RegistrySource => {
    const at = `registries[${index}]`;
    if (!isJsonObject(each)) throw mistake(file, at, "expected an object with `url` or `file`");
    if (isText(each.url) === isText(each.file)) throw mistake(file, at, "expected either `url` or `file`");
    const ownMembers = isText(each.url) ? ["url", "headers", "publicKey"] : ["file"];
    checkMembers(file, `${at}.`, each, [...ownMembers, "name", "sha256", "required"]);
    for (const key of ["name", "sha256", "publicKey"]) {
      if (each[key] !== undefined && !isText(each[key])) throw mistake(file, `${at}.${key}`, "expected a text");
    }
    if (each.required !== undefined && typeof each.required !== "boolean")
      throw mistake(file, `${at}.required`, "expected true or false");
    if (each.headers !== undefined && !isVariables(each.headers))
      throw mistake(file, `${at}.headers`, "expected an object of strings");
    const source = each as unknown as RegistrySource;
    // A path relative to the working directory would let any project replace the agents.
    return "file" in source ? { ...source, file: resolve(dirname(file), source.file) } : source;
  });
}

function mistake(file: string, at: string, why: string): RegistryError {
  return new RegistryError("invalid_settings", `${file}${at === "" ? "" : `, ${at}`}: ${why}.`);
}
