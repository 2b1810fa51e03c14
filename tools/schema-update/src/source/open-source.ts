import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isObject } from "../normalize/json.js";
import { fetchNpmPackage, parseNpmSpec, resolveNpmVersion, withoutRoot } from "./npm.js";
import { isSchemaPath, readSchemaFile, type Source, SourceError, schemaBase } from "./schema-file.js";
import { readTarball } from "./tarball.js";

/**
 * Opens a source that the user names: a file, a directory in any layout of the schema's history, a `.tgz`, an npm version, or an address.
 *
 * @param cwd - the base of relative paths.
 * @throws {SourceError} when the source does not exist, or contains no schema.
 */
export async function openSource(text: string, cwd: string): Promise<Source> {
  if (/^https?:\/\//.test(text)) return openUrl(text);
  const path = isAbsolute(text) ? text : resolve(cwd, text);
  if (existsSync(path)) return statSync(path).isDirectory() ? openDirectory(path, text) : openFile(path, text);
  const spec = parseNpmSpec(text);
  if (spec !== undefined) {
    const version = resolveNpmVersion(spec);
    return fromPackage(fetchNpmPackage({ ...spec, version }), {
      label: `${spec.name} ${version}`,
      origin: `npm:${spec.name}@${version}`,
    });
  }
  throw new SourceError(
    `"${text}" is neither a file, a directory, an address nor an npm version (2.4.0, @scope/name@2.4.0)`,
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
  const read = (other: string): Uint8Array | undefined =>
    siblings.includes(other) ? readFileSync(join(folder, basename(other))) : undefined;
  const file = readSchemaFile(shown, bytes, siblings, read);
  // The path shows the name of the folder only if the folder is one of the protocol's folders, which determine the version.
  const kept = /^(v\d+|schema)$/.test(basename(folder)) ? shown : basename(path);
  return { ...anonymous(text, `file:${kept}`), files: [{ ...file, path: kept }] };
}

function openDirectory(path: string, text: string): Source {
  const files = new Map<string, Uint8Array>();
  const walk = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth > 0 && entry.name !== "node_modules" && !entry.name.startsWith(".")) walk(inside, depth - 1);
      } else if (/\.json$/.test(entry.name))
        files.set(relative(path, inside).split(sep).join("/"), readFileSync(inside));
    }
  };
  walk(path, 3);
  return fromPackage(files, { label: text, origin: `file:${basename(path)}` });
}

async function openUrl(url: string): Promise<Source> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new SourceError(
      `Could not fetch ${url}: ${cause instanceof Error ? String(cause.cause ?? cause.message) : String(cause)}`,
      { cause },
    );
  }
  if (!response.ok)
    throw new SourceError(
      `Could not fetch ${url}: the server responded with ${response.status} ${response.statusText}`,
    );
  const bytes = new Uint8Array(await response.arrayBuffer());
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
  const about = packageOf(files.get("package.json"));
  return {
    ...names,
    ...about,
    files: chosen.map((path) =>
      readSchemaFile(path, files.get(path) ?? new Uint8Array(), paths, (other) => files.get(other)),
    ),
  };
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
