import { StoreError, type StoreErrorCode } from "../errors.js";

/** Prefixes of the error codes of SQLite and of the system, by their meaning for a store. */
const codes: readonly (readonly [StoreErrorCode, RegExp])[] = [
  ["busy", /^SQLITE_(BUSY|LOCKED|PROTOCOL)/],
  ["full", /^(SQLITE_FULL|ENOSPC|EDQUOT)/],
  ["read_only", /^(SQLITE_(READONLY|PERM|AUTH)|EACCES|EPERM|EROFS)/],
  ["corrupt", /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|CONSTRAINT|MISMATCH|FORMAT)/],
  ["io", /^(SQLITE_|E(?!RR_)[A-Z])/], // `ERR_…` is an invalid argument, and not about the file
];

const advice: Readonly<Record<Exclude<StoreErrorCode, "foreign" | "newer_format" | "closed">, string>> = {
  busy: "is locked by another process. Try again, or end the process that keeps the file locked",
  full: "has no room: the disk is full. Free space on the disk, or set limits for the store",
  read_only:
    "is not writable, or belongs to another user. Check the owner and the permissions of the file and of its folder",
  io: "can't be read or written. Check that its folder exists and that its disk works",
  corrupt:
    "is damaged. Move the file away, with the files beside it that end in -wal and -shm, to start with an empty store; `sqlite3 FILE .recover` may rescue its sessions",
};

/** The first byte of SQLite's result codes, by their meaning for a store. Every other number means `io`. */
const resultCodes: Readonly<Record<number, StoreErrorCode>> = {
  ...{ 5: "busy", 6: "busy", 15: "busy" },
  13: "full",
  ...{ 3: "read_only", 8: "read_only", 23: "read_only" },
  ...{ 1: "corrupt", 11: "corrupt", 17: "corrupt", 19: "corrupt", 20: "corrupt", 24: "corrupt", 26: "corrupt" },
};

/** Matches the code of an error for which libsql has no name, such as 1544 for a read-only folder. */
const unnamed = /^UNKNOWN_SQLITE_ERROR_(\d{1,10})$/;

/** Converts an error of SQLite or of the file system to a {@link StoreError}. Returns any other error unchanged. */
export function storeErrorOf(error: unknown, path: string): unknown {
  const code = storeErrorCodeOf(error);
  return code === undefined ? error : storeError(code, path, error);
}

/** Creates a {@link StoreError} that says what to do. */
export function storeError(code: keyof typeof advice, path: string, cause?: unknown): StoreError {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return new StoreError(code, path, `The session store ${path} ${advice[code]}${reason}`, { cause });
}

/** Returns whether the error means that another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return storeErrorCodeOf(error) === "busy";
}

function storeErrorCodeOf(error: unknown): keyof typeof advice | undefined {
  if (!(error instanceof Error) || error instanceof StoreError) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (error.message.startsWith("ConnectionFailed")) return "io"; // libsql has no code for a file that it can't open
  if (typeof code !== "string") return undefined;
  const [, number] = unnamed.exec(code) ?? [];
  if (number !== undefined) return (resultCodes[Number(number) & 0xff] ?? "io") as keyof typeof advice;
  return codes.find(([, pattern]) => pattern.test(code))?.[0] as keyof typeof advice | undefined;
}
