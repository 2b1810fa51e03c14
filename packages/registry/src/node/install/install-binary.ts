import { chmod, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { archiveKindOfFile, archiveKindOfUrl } from "../archive/archive-kind.js";
import { entryPath } from "../archive/entry-path.js";
import { unpack } from "../archive/unpack.js";
import type { BinaryTarget } from "../catalog/registry-document.js";
import { secureUrl } from "../catalog/secure-url.js";
import { RegistryError } from "../errors.js";
import { download } from "./download.js";
import type { InstallContext, InstallResult } from "./install-options.js";

/**
 * Downloads an archive or a program, verifies its SHA-256 before any other use, and unpacks an archive.
 *
 * @param pinned - the SHA-256 of an earlier installation of the same version.
 */
export async function installBinary(
  target: BinaryTarget,
  version: string,
  pinned: string | undefined,
  context: InstallContext,
): Promise<InstallResult> {
  const { folder, limits, signal, onProgress } = context;
  const url = secureUrl(target.archive, "The agent can't be downloaded");
  const kindOfUrl = archiveKindOfUrl(url);
  const cmd = entryPath(target.cmd);
  const name = url.pathname.split("/").pop() ?? "";
  const file = join(folder, "download");
  const sha256 = await download(target.archive, file, context);
  onProgress({ step: "verify", what: name });
  check(sha256, target.sha256, `${name} has the SHA-256 ${sha256}, but the registry expects ${target.sha256}`);
  check(
    sha256,
    pinned,
    `${name} has the SHA-256 ${sha256}, but version ${version} had ${pinned} when it was installed before`,
  );
  const kind = kindOfUrl ?? (await archiveKindOfFile(file));
  const content = join(folder, "content");
  await mkdir(content);
  if (kind === "program") await rename(file, join(content, cmd.at(-1) ?? "agent"));
  else {
    onProgress({ step: "unpack", what: name });
    await unpack(file, kind, content, limits, signal);
    await rm(file);
  }
  const parts = kind === "program" ? cmd.slice(-1) : cmd;
  await makeExecutable(content, parts, target.cmd);
  const notes =
    target.sha256 === undefined
      ? [`The registry has no checksum for ${name}. The SHA-256 of this download is now pinned: ${sha256}.`]
      : [];
  const launch = {
    file: ["content", ...parts].join("/"),
    isNodeScript: false,
    args: target.args ?? [],
    env: target.env ?? {},
  };
  return { launch, version, integrity: sha256, notes };
}

function check(actual: string, expected: string | undefined, message: string): void {
  if (expected === undefined || actual === expected.toLowerCase()) return;
  throw new RegistryError("checksum_mismatch", `${message}. The agent was not installed.`);
}

async function makeExecutable(content: string, parts: readonly string[], cmd: string): Promise<void> {
  const path = join(content, ...parts);
  const real = await realpath(path).catch(() => undefined);
  const way = real === undefined ? ".." : relative(await realpath(content), real);
  const isThere = parts.length > 0 && real !== undefined && (await lstat(real)).isFile();
  if (!isThere || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new RegistryError(
      "bad_archive",
      `The archive does not contain the program ${cmd} of the registry. The agent was not installed.`,
    );
  }
  await chmod(real, 0o755);
}
