import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Copies a template. `{{name}}` in a file is replaced by the value of that name. In the name of a file, a leading `_`
 * becomes a `.`, because npm leaves some files with a leading dot out of a package.
 *
 * @throws {Error} when a file contains a name without a value. In this case, no file is written.
 */
export function copyTemplate(template: string, target: string, values: Readonly<Record<string, string>>): void {
  const files = filesOf(template).map((path) => ({
    path: path.map((name) => name.replace(/^_/, ".")),
    text: filled(readFileSync(join(template, ...path), "utf8"), values, join(...path)),
  }));
  for (const { path, text } of files) {
    const file = join(target, ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function filled(text: string, values: Readonly<Record<string, string>>, file: string): string {
  return text.replace(/\{\{([\w@/-]{1,100})\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The template's ${file} needs a value for "${name}".`);
    return value;
  });
}

/** Returns every file below a folder, each as the list of names in its path. */
function filesOf(folder: string, path: readonly string[] = []): string[][] {
  return readdirSync(join(folder, ...path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(folder, [...path, entry.name]) : [[...path, entry.name]],
  );
}
