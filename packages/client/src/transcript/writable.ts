/**
 * A copy of an immutable value that code may still change. Code may replace its members, but must not change the values
 * in them.
 */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
