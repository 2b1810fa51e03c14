import type { Project } from "./packages.mjs";

export declare const repository: string;
export declare const site: string;
export declare function withMetadata(project: Project): Project["manifest"];
export declare function manifestText(project: Project): string;
