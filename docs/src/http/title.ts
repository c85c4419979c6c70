/** A tag as a title, and as the name of its class in the SDK: `conversations` → `Conversations`. */
export const titleOf = (tag: string): string => tag.replace(/^./, (letter) => letter.toUpperCase())
