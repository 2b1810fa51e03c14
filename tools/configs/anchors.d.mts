export declare function gitHubAnchor(heading: string): string;
