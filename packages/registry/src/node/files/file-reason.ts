/** Returns the reason of a failed file operation as words, without the path if the reason is known. */
export function fileReason(cause: unknown): string {
  const { code = "", message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return Object.hasOwn(reasons, code) ? (reasons[code] as string) : message;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
