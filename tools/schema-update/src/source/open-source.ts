import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fetchNpmPackage, parseNpmSpec, resolveNpmVersion, withoutRoot } from "./npm.js";
import { isObject, isSchemaPath, readSchemaFile, type Source, SourceError, schemaBase } from "./schema-file.js";
import {
  aboutReleases,
  onGitHub,
  openSpecification,
  parseSpecification,
  type Repository,
  releaseName,
} from "./specification.js";
import { readTarball } from "./tarball.js";

/**
 * Opens a source that the user names: a file, a directory in any layout of the schema's history, a `.tgz`, an npm
 * version, a release of the specification's repository, or an address.
 *
 * @param cwd - the base of relative paths.
 * @param repository - the specification's repository.
 * @throws {SourceError} when the source does not exist, or contains no schema.
 */
export async function openSource(text: string, cwd: string, repository: Repository = onGitHub): Promise<Source> {
  if (/^https?:\/\//.test(text)) return openUrl(text);
  const path = isAbsolute(text) ? text : resolve(cwd, text);
  if (existsSync(path)) return statSync(path).isDirectory() ? openDirectory(path, text) : openFile(path, text);
  const tags = parseSpecification(text);
  if (tags !== undefined) return openSpecification(tags, repository);
  const spec = parseNpmSpec(text);
  if (spec !== undefined) {
    const version = resolveNpmVersion(spec);
    return fromPackage(fetchNpmPackage({ ...spec, version }), {
      label: `${spec.name} ${version}`,
      origin: `npm:${spec.name}@${version}`,
    });
  }
  throw new SourceError(
    `"${text}" is neither a file, a directory, an address, an npm version (2.4.0, @scope/name@2.4.0) nor a release of the specification (specification, schema-v1.34.0)`,
  );
}

function openFile(path: string, text: string): Source {
  const bytes = readFileSync(path);
  if (/\.(tgz|tar\.gz)$/.test(path)) {
    return fromPackage(withoutRoot(readTarball(bytes)), { label: text, origin: `file:${basename(path)}` });
  }
  // The parent folders determine the version; the files beside it determine the stability.
  const folder = dirname(path);
  const shown = `${basename(folder)}/${basename(path)}`;
  const siblings = readdirSync(folder).map((name) => `${basename(folder)}/${name}`);
  const file = readSchemaFile(shown, bytes, siblings);
  // The path shows the name of the folder only if the folder is one of the protocol's folders, which determine the
  // version.
  const kept = /^(v\d+|schema)$/.test(basename(folder)) ? shown : basename(path);
  return { ...anonymous(text, `file:${kept}`), files: [{ ...file, path: kept }] };
}

function openDirectory(path: string, text: string): Source {
  const files = new Map<string, Uint8Array>();
  // The folder of a release is called after its tag, which determines the version.
  const prefix = parseSpecification(basename(path)) === undefined ? "" : `${basename(path)}/`;
  const walk = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth > 0 && entry.name !== "node_modules" && !entry.name.startsWith(".")) walk(inside, depth - 1);
      } else if (/\.json$|^Cargo\.toml$/.test(entry.name))
        files.set(`${prefix}${relative(path, inside).split(sep).join("/")}`, readFileSync(inside));
    }
  };
  walk(path, 3);
  return fromPackage(files, { label: text, origin: `file:${basename(path)}` });
}

async function openUrl(url: string): Promise<Source> {
  const bytes = await onGitHub.download(url);
  const path = new URL(url).pathname;
  if (/\.(tgz|tar\.gz)$/.test(path)) return fromPackage(withoutRoot(readTarball(bytes)), { label: url, origin: url });
  return { ...anonymous(url, url), files: [readSchemaFile(path.replace(/^\//, ""), bytes, [])] };
}

function anonymous(label: string, origin: string): Omit<Source, "files"> {
  return { label, origin, package: undefined, version: undefined, license: undefined };
}

/** Finds the schemas among many files. If several folders contain schemas, the folder nearest to the root is used. */
function fromPackage(files: ReadonlyMap<string, Uint8Array>, names: { label: string; origin: string }): Source {
  const paths = [...files.keys()];
  const bases = [...new Set(paths.filter(isSchemaPath).map(schemaBase))];
  const depth = (base: string): number => (base === "schema" ? -1 : base === "" ? 0 : base.split("/").length);
  const [base] = bases.sort((a, b) => depth(a) - depth(b));
  if (base === undefined)
    throw new SourceError(`${names.label} has no schema.json, neither at its root nor in a folder that it contains`);
  const chosen = paths.filter((path) => isSchemaPath(path) && schemaBase(path) === base).sort();
  const released = releasesIn(chosen, files);
  const tags = [...new Set(released.values())].sort();
  if (tags.length > 0)
    return {
      ...aboutReleases(tags),
      files: chosen.map((path) => ({
        ...readSchemaFile(path, files.get(path) ?? new Uint8Array(), paths),
        release: releaseName(released.get(path) ?? ""),
      })),
    };
  const about = packageOf(files.get("package.json"));
  return {
    ...names,
    ...about,
    files: chosen.map((path) => readSchemaFile(path, files.get(path) ?? new Uint8Array(), paths)),
  };
}

/**
 * Returns the release of each schema, if the files are those of the specification's repository: its folders have a
 * `Cargo.toml` with the version, and the folder of a release's files is called after its tag.
 */
function releasesIn(schemas: readonly string[], files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, string> {
  return new Map(
    schemas.flatMap((path) => {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      const about = new TextDecoder().decode(files.get(`${folder}Cargo.toml`));
      const [, version] = /^version = "([^"]+)"/m.exec(about) ?? [];
      const [, tag] = /(?:^|\/)(schema-v[\w.-]+)\/$/.exec(folder) ?? [];
      const name = tag ?? (version === undefined ? undefined : `schema-v${version}`);
      return name === undefined ? [] : [[path, name] as const];
    }),
  );
}

function packageOf(bytes: Uint8Array | undefined): Pick<Source, "package" | "version" | "license"> {
  const none = { package: undefined, version: undefined, license: undefined };
  if (bytes === undefined) return none;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(parsed)) return none;
    const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
    return { package: text(parsed.name), version: text(parsed.version), license: text(parsed.license) };
  } catch {
    // A package.json that isn't JSON does not invalidate the schemas beside it.
    return none;
  }
}
