import { join } from "node:path";
import { repository } from "@acp-kit/configs/metadata";
import { entries, packages, root } from "@acp-kit/configs/packages";
import {
  Application,
  DeclarationReflection,
  type ProjectReflection,
  SignatureReflection,
  type TypeDocOptions,
} from "typedoc";
import { isOnGitHub } from "./on-github.js";

type Package = ReturnType<typeof packages>[number];

const common: Partial<TypeDocOptions> = {
  excludeInternal: true,
  excludePrivate: true,
  // TypeDoc need not check types, because `tsc -b` does.
  skipErrorChecking: true,
  readme: "none",
  sort: ["source-order"],
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  logLevel: "Warn",
};

/** Writes the API reference of every package to a folder, as static pages. */
export async function buildReference(folder: string, scratch: string): Promise<void> {
  const files: string[] = [];
  const documented = packages().filter(({ directory }) => entries(directory).length > 0);
  for (const package_ of documented) files.push(await convert(package_, scratch));
  const app = await Application.bootstrap({
    ...common,
    name: "acp-kit",
    entryPointStrategy: "merge",
    entryPoints: files,
    navigationLinks: { Guides: "../", GitHub: repository },
    hideGenerator: true,
    searchInComments: true,
    includeHierarchySummary: false,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("The references of the packages could not be merged.");
  await app.generateDocs(project, folder);
}

/** Extracts the exports of a package from its sources into a JSON file. Returns the file's path. */
async function convert({ name, directory, manifest }: Package, scratch: string): Promise<string> {
  const app = await Application.bootstrap({
    ...common,
    name,
    basePath: directory,
    displayBasePath: root,
    // Source links are built from `repository`, not from git, because a checkout may have no git remote, or the remote
    // of a fork.
    disableGit: true,
    sourceLinkTemplate: `${repository}/blob/main/{path}#L{line}`,
    gitRevision: "main",
    entryPoints: entries(directory).map(({ source }) => join(directory, source)),
    tsconfig: join(directory, "tsconfig.json"),
    includeVersion: false,
  });
  const project: ProjectReflection | undefined = await app.convert();
  if (project === undefined) throw new Error(`TypeDoc could not read ${name}.`);
  unlinkUncommitted(project);
  project.packageName = name;
  project.packageVersion = manifest.version;
  const file = join(scratch, `${name.replace("/", "-")}.json`);
  await app.generateJson(project, file);
  return file;
}

/** Removes the source links of members that are inherited from installed or built code. */
function unlinkUncommitted(project: ProjectReflection): void {
  for (const reflection of Object.values(project.reflections)) {
    if (!(reflection instanceof DeclarationReflection || reflection instanceof SignatureReflection)) continue;
    for (const source of reflection.sources ?? []) if (!isOnGitHub(source.fileName)) delete source.url;
  }
}
