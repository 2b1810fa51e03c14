export declare function withoutComments(code: string, hasJsx?: boolean): string;
