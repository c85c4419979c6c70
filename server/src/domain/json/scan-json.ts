import { endOfNumber, endOfString, endOfWord, NO_TOKEN } from './scan-token.ts'
import type { ScannedJson } from './scanned-json.ts'
import {
  byteAt,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  END,
  ENTRY_SIZE,
  isLetter,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './scanned-json.ts'

/** Why a text is rejected. */
export interface ScanFault {
  readonly fault: 'syntax' | 'nodes' | 'depth'
  /** The entries found until then. Those that contain the fault have no end. */
  readonly found: ScannedJson
}

export interface ScanLimits {
  /** Maximum number of values and members: `{"a":1}` has two values and a member. */
  readonly nodes: number
  /** Maximum nesting depth of objects and lists. */
  readonly depth: number
}

/**
 * Finds the values of a JSON text (RFC 8259) in one pass, in linear time. The bytes must be valid UTF-8. Lone
 * surrogates, NUL and the range of numbers are not checked.
 */
export const scanJson = (bytes: Buffer, limits: ScanLimits): ScannedJson | ScanFault => {
  const scanner = new Scanner(bytes, limits)
  scanner.skipSpace()
  if (scanner.scanValue(0)) {
    if (scanner.skipSpace() === END) return scanner.found()
    scanner.fail('syntax')
  }
  return { fault: scanner.fault, found: scanner.found() }
}

/** Initial capacity in entries. */
const FIRST_ENTRIES = 32

/** The state of a scan. Each step returns whether it succeeded; if not, `fault` says why. */
class Scanner {
  readonly bytes: Buffer
  readonly depthLimit: number
  readonly sizeLimit: number
  table = new Int32Array(FIRST_ENTRIES * ENTRY_SIZE)
  size = 0
  at = 0
  fault: ScanFault['fault'] = 'syntax'

  constructor(bytes: Buffer, { nodes, depth }: ScanLimits) {
    this.bytes = bytes
    this.depthLimit = depth
    this.sizeLimit = nodes * ENTRY_SIZE
  }

  found(): ScannedJson {
    return { bytes: this.bytes, table: this.table.subarray(0, this.size), nodes: this.size / ENTRY_SIZE }
  }

  fail(fault: ScanFault['fault']): false {
    this.fault = fault
    return false
  }

  /** Skips white space and returns the byte after it. */
  skipSpace(): number {
    const { bytes } = this
    let { at } = this
    let byte = byteAt(bytes, at)
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      at += 1
      byte = byteAt(bytes, at)
    }
    this.at = at
    return byte
  }

  beginEntry(): number {
    const entry = this.size
    if (entry + ENTRY_SIZE > this.table.length) {
      const larger = new Int32Array(this.table.length * 2)
      larger.set(this.table)
      this.table = larger
    }
    this.table[entry] = this.at
    this.size = entry + ENTRY_SIZE
    return entry
  }

  endEntry(entry: number): true {
    this.table[entry + 1] = this.at
    this.table[entry + 2] = this.size
    return true
  }

  scanValue(depth: number): boolean {
    if (this.size >= this.sizeLimit) return this.fail('nodes')
    const entry = this.beginEntry()
    return this.scanContent(byteAt(this.bytes, this.at), depth) && this.endEntry(entry)
  }

  scanContent(first: number, depth: number): boolean {
    if (first === QUOTE) return this.moveTo(endOfString(this.bytes, this.at))
    if (first === OPEN_OBJECT) return depth < this.depthLimit ? this.scanObject(depth + 1) : this.fail('depth')
    if (first === OPEN_LIST) return depth < this.depthLimit ? this.scanList(depth + 1) : this.fail('depth')
    return this.moveTo(isLetter(first) ? endOfWord(this.bytes, this.at) : endOfNumber(this.bytes, this.at))
  }

  moveTo(end: number): boolean {
    if (end === NO_TOKEN) return this.fail('syntax')
    this.at = end
    return true
  }

  scanObject(depth: number): boolean {
    this.at += 1
    if (this.skipSpace() === CLOSE_OBJECT) return this.moveTo(this.at + 1)
    for (;;) {
      if (!this.scanName()) return false
      if (this.skipSpace() !== COLON) return this.fail('syntax')
      this.at += 1
      this.skipSpace()
      if (!this.scanValue(depth)) return false
      const byte = this.skipSpace()
      if (byte === CLOSE_OBJECT) return this.moveTo(this.at + 1)
      if (byte !== COMMA) return this.fail('syntax')
      this.at += 1
      this.skipSpace()
    }
  }

  scanName(): boolean {
    if (byteAt(this.bytes, this.at) !== QUOTE) return this.fail('syntax')
    if (this.size >= this.sizeLimit) return this.fail('nodes')
    const entry = this.beginEntry()
    return this.moveTo(endOfString(this.bytes, this.at)) && this.endEntry(entry)
  }

  scanList(depth: number): boolean {
    this.at += 1
    if (this.skipSpace() === CLOSE_LIST) return this.moveTo(this.at + 1)
    for (;;) {
      if (!this.scanValue(depth)) return false
      const byte = this.skipSpace()
      if (byte === CLOSE_LIST) return this.moveTo(this.at + 1)
      if (byte !== COMMA) return this.fail('syntax')
      this.at += 1
      this.skipSpace()
    }
  }
}
