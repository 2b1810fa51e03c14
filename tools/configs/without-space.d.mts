export function withoutSpace(code: string): Promise<string>;
