export declare const LINEAR: number;
export declare function growthOf(
  work: (size: number) => unknown,
  options?: { readonly from?: number; readonly to?: number },
): Promise<number>;
