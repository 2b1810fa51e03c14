import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { readSchemaFile, type Source, SourceError } from "./schema-file.js";

/** The repository of the specification. It releases each protocol version on its own, before npm. */
export const specification = "agentclientprotocol/agent-client-protocol";

/** Access to the repository, which tests replace. */
export interface Repository {
  /** Returns the names of all tags. */
  readonly tags: () => readonly string[];
  readonly download: (url: string) => Promise<Uint8Array>;
}

/**
 * Parses a source in the repository: `specification` for the newest release of each protocol version, or releases by
 * their tags (`schema-v1.34.0`, `schema-v1.34.0+schema-v2.0.0-alpha.17`). `undefined` for anything else.
 */
export function parseSpecification(text: string): readonly string[] | undefined {
  const name = text.replace(`github:${specification}@`, "");
  if (name === "specification") return [];
  const tags = name.split("+schema-v").map((one, index) => (index === 0 ? one : `schema-v${one}`));
  return tags.every((tag) => versionOf(tag) !== undefined) ? tags : undefined;
}

/**
 * Downloads releases of the repository.
 *
 * @param tags - the tags of the releases; empty for the newest of each protocol version.
 * @throws {SourceError} when the repository or a file can't be read.
 */
export async function openSpecification(tags: readonly string[], repository: Repository): Promise<Source> {
  const chosen = tags.length > 0 ? tags : newest(repository.tags());
  const files = await Promise.all(
    chosen.flatMap((tag) =>
      ["schema.json", "schema.unstable.json"].map(async (name) => {
        const url = `https://github.com/${specification}/releases/download/${tag}/${name}`;
        const paths = [`${tag}/schema.json`, `${tag}/schema.unstable.json`];
        return {
          ...readSchemaFile(`${tag}/${name}`, await repository.download(url), paths),
          release: releaseName(tag),
        };
      }),
    ),
  );
  return { ...aboutReleases(chosen), files };
}

/** Returns the names of a source that consists of releases. */
export function aboutReleases(tags: readonly string[]): Omit<Source, "files"> {
  const version = tags.join("+");
  return {
    label: `${specification} ${version}`,
    origin: `github:${specification}@${version}`,
    ...{ package: specification, version, license: "Apache-2.0" },
  };
}

export function releaseName(tag: string): string {
  return `${specification} ${tag}`;
}

export const onGitHub: Repository = {
  tags: () => {
    const address = `https://github.com/${specification}`;
    const { status, stdout, stderr, error } = spawnSync(
      "git",
      ["ls-remote", "--refs", "--tags", address, "schema-v*"],
      {
        cwd: tmpdir(),
        encoding: "utf8",
      },
    );
    if (status !== 0)
      throw new SourceError(`Could not list the tags of ${address}: ${error?.message ?? stderr.trim()}`, {
        cause: error,
      });
    return stdout.split("\n").map((line) => line.slice(line.lastIndexOf("/") + 1));
  },
  download: async (url) => {
    let response: Response;
    try {
      response = await fetch(url);
    } catch (cause) {
      const reason = cause instanceof Error ? String(cause.cause ?? cause.message) : String(cause);
      throw new SourceError(`Could not fetch ${url}: ${reason}`, { cause });
    }
    if (!response.ok)
      throw new SourceError(
        `Could not fetch ${url}: the server responded with ${response.status} ${response.statusText}`,
      );
    return new Uint8Array(await response.arrayBuffer());
  },
};

function newest(tags: readonly string[]): readonly string[] {
  const best = new Map<number, string>();
  for (const tag of tags) {
    const [major] = versionOf(tag) ?? [];
    if (major === undefined || (major !== 1 && major !== 2)) continue;
    const known = best.get(major);
    if (known === undefined || isNewer(tag, known)) best.set(major, tag);
  }
  if (best.size === 0) throw new SourceError(`${specification} has no release of the schema`);
  return [...best].sort(([a], [b]) => a - b).map(([, tag]) => tag);
}

function isNewer(tag: string, other: string): boolean {
  const [a, b] = [versionOf(tag) ?? [], versionOf(other) ?? []];
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}

/** Returns the numbers of a tag such as `schema-v2.0.0-alpha.17`. A release is newer than its previews. */
function versionOf(tag: string): readonly number[] | undefined {
  const match = /^schema-v(\d+)\.(\d+)\.(\d+)(?:-(?:alpha|beta|rc)\.(\d+))?$/.exec(tag);
  return match
    ?.slice(1, 5)
    .map((part: string | undefined) => (part === undefined ? Number.POSITIVE_INFINITY : Number(part)));
}
