import type { StandardIssue, StandardSchema } from "./standard-schema.js";

/** The params of `fs/delete_file`. */
export interface DeleteFileRequest {
  readonly sessionId: string;
  /** The absolute path of the file to delete. */
  readonly path: string;
}

/** The params of `fs/rename_file`. */
export interface RenameFileRequest {
  readonly sessionId: string;
  /** The current path of the file, as an absolute path. */
  readonly path: string;
  /** The new path of the file, as an absolute path where no file exists. */
  readonly targetPath: string;
}

/** The methods of {@link fileExtensions}. */
export type FileExtensionMethod = "fs/delete_file" | "fs/rename_file";

/** A method that the protocol does not define, and the capability with which a client advertises it. */
export interface FileExtension<Params> {
  readonly method: FileExtensionMethod;
  /** The path of the capability that advertises the method, such as `clientCapabilities.fs.deleteFile`. */
  readonly capability: string;
  readonly params: StandardSchema<Params>;
}

/**
 * Two methods that some agents call although the protocol does not define them. The methods delete and rename a file
 * through the client.
 *
 * According to the protocol, the name of an extension method begins with an underscore, and its capability is in
 * `_meta`. These two methods are exceptions: the agents look for these names, and for the capabilities
 * `clientCapabilities.fs.deleteFile` and `.renameFile`. A client without handlers for these methods advertises neither,
 * and an agent of this library then never calls them. The result of both methods is `{}` or `null`.
 */
export const fileExtensions: {
  readonly deleteFile: FileExtension<DeleteFileRequest>;
  readonly renameFile: FileExtension<RenameFileRequest>;
} = {
  deleteFile: {
    method: "fs/delete_file",
    capability: "clientCapabilities.fs.deleteFile",
    params: strings<DeleteFileRequest>("sessionId", "path"),
  },
  renameFile: {
    method: "fs/rename_file",
    capability: "clientCapabilities.fs.renameFile",
    params: strings<RenameFileRequest>("sessionId", "path", "targetPath"),
  },
};

/** Returns the capability that a method of {@link fileExtensions} needs, or `undefined` for every other method. */
export function gateOfFileExtension(method: string): string | undefined {
  return Object.values(fileExtensions).find((each) => each.method === method)?.capability;
}

/** Returns a schema for an object whose named members are strings. Other members are kept. */
function strings<Params>(...names: (keyof Params & string)[]): StandardSchema<Params> {
  return {
    "~standard": {
      version: 1,
      vendor: "acp-kit",
      validate(value) {
        const params = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
        const issues = names
          .filter((name) => typeof params[name] !== "string")
          .map((name): StandardIssue => ({ message: "must be a string", path: [name] }));
        return issues.length > 0 ? { issues } : { value: params as Params };
      },
    },
  };
}
