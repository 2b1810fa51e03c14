/** A copy whose own members may be changed, but not the values in them. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
