/** Named parts of the web: an address is in one when it contains a text of `in` and none of `out`. */
export type Subcollections = Readonly<
  Record<string, { readonly in: readonly string[]; readonly out?: readonly string[] }>
>;

/** The names of the subcollections that hold `url`, in the order they are configured. */
export const subcollectionsOf = (url: string, all: Subcollections): readonly string[] =>
  Object.entries(all)
    .filter(([, part]) => !part.out?.some((text) => url.includes(text)) && part.in.some((text) => url.includes(text)))
    .map(([name]) => name);
