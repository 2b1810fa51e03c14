/** A copy of a value. Code may replace its members, but must not change the values in them. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
