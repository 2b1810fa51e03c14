export declare function withoutComments(code: string): string;
