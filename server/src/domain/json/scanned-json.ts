/**
 * A JSON text in which every value has been found. Its entries are its values and the names of its members, in the
 * order of the text: a name is followed by its value, and an object or a list by its contents.
 */
export interface ScannedJson {
  /** The text in UTF-8. */
  readonly bytes: Buffer
  /** `ENTRY_SIZE` numbers for each entry: its position, the position after it, and the entry after all its contents. */
  readonly table: Int32Array
  /** How many values and members there are. */
  readonly nodes: number
}

/** The entry of the whole text. */
export const ROOT = 0
export const ENTRY_SIZE = 3

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
export const MINUS = 0x2d
export const POINT = 0x2e
export const BACKSLASH = 0x5c
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Returned instead of a byte after the end of the text. */
export const END = -1

const ZERO = 0x30
const NINE = 0x39
export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE
/** Whether a value with this first byte is `true`, `false` or `null`. */
export const isLetter = (byte: number): boolean => byte === 0x74 || byte === 0x66 || byte === 0x6e
export const isExponent = (byte: number): boolean => byte === 0x65 || byte === 0x45

export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? END

/** The position of an entry's first byte. */
export const startOf = ({ table }: ScannedJson, entry: number): number => table[entry] ?? END
/** The position after an entry. */
export const endOf = ({ table }: ScannedJson, entry: number): number => table[entry + 1] ?? END
/** The entry after all contents of this one. */
export const entryAfter = ({ table }: ScannedJson, entry: number): number => table[entry + 2] ?? END
/** What kind of value an entry is, by its first byte. */
export const kindOf = (json: ScannedJson, entry: number): number => byteAt(json.bytes, startOf(json, entry))

export const isNull = (json: ScannedJson, entry: number): boolean => kindOf(json, entry) === 0x6e

/** Whether values of this kind contain others. */
export const isContainer = (kind: number): boolean => kind === OPEN_OBJECT || kind === OPEN_LIST

/** The UTF-16 code unit of an escape's four hexadecimal digits. */
export const readUnit = (bytes: Uint8Array, at: number): number => {
  let unit = 0
  for (let digit = at; digit < at + 4; digit += 1) {
    const byte = byteAt(bytes, digit)
    // Digits have their value in the lower half; letters of both cases begin there with 1.
    unit = unit * 16 + (byte & 0xf) + (byte > NINE ? 9 : 0)
  }
  return unit
}
