import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { LISTED_FAULTS } from '@conversation-gateway/openapi/behaviour/refusal'
import { findMember, nameOf } from './find-value.ts'
import { numberFault } from './number-fault.ts'
import { pointerTo } from './pointer.ts'
import type { ScannedJson } from './scanned-json.ts'
import {
  BACKSLASH,
  byteAt,
  ENTRY_SIZE,
  endOf,
  entryAfter,
  isLetter,
  kindOf,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  readUnit,
  startOf,
} from './scanned-json.ts'

/**
 * Finds content of a value that could not be returned unchanged or could harm its reader: lone surrogates and NUL in
 * strings and names (D-25), numbers beyond all doubles and integers that no double holds exactly (D-55), and names that
 * reach a prototype. Stops after one fault more than an answer lists.
 */
export const findJsonFaults = (json: ScannedJson, entry: number): Fault[] => {
  const search: Search = { json, hasEscapes: json.bytes.includes(BACKSLASH), path: [], faults: [] }
  searchValue(search, entry)
  return search.faults
}

interface Search {
  readonly json: ScannedJson
  readonly hasEscapes: boolean
  /** The entries of names and the indexes of items, which are below 0: `~index`. */
  readonly path: number[]
  readonly faults: Fault[]
}

const searchValue = (search: Search, entry: number): void => {
  const kind = kindOf(search.json, entry)
  if (kind === OPEN_OBJECT) searchObject(search, entry)
  else if (kind === OPEN_LIST) searchList(search, entry)
  else if (kind === QUOTE) searchString(search, entry, 'has a lone surrogate or NUL')
  else if (!isLetter(kind)) searchNumber(search, entry)
}

const searchList = (search: Search, list: number): void => {
  const { json, path } = search
  const behind = entryAfter(json, list)
  let index = 0
  for (let item = list + ENTRY_SIZE; item < behind && !isFull(search); item = entryAfter(json, item)) {
    path.push(~index)
    searchValue(search, item)
    path.pop()
    index += 1
  }
}

const searchObject = (search: Search, object: number): void => {
  const { json, path } = search
  const behind = entryAfter(json, object)
  for (let name = object + ENTRY_SIZE; name < behind && !isFull(search); name = entryAfter(json, name + ENTRY_SIZE)) {
    path.push(name)
    const isKept = searchString(search, name, 'has a lone surrogate or NUL in its name')
    if (isKept && reachesForPrototype(search, name)) report(search, 'is not an allowed member name')
    else if (isKept) searchValue(search, name + ENTRY_SIZE)
    path.pop()
  }
}

/** Returns whether a string can be stored; reports it if not. */
const searchString = (search: Search, entry: number, message: string): boolean => {
  const { json, hasEscapes } = search
  if (!hasEscapes || isWellFormed(json.bytes, startOf(json, entry), endOf(json, entry))) return true
  report(search, message)
  return false
}

const searchNumber = (search: Search, entry: number): void => {
  const { json } = search
  const fault = numberFault(json.bytes, startOf(json, entry), endOf(json, entry))
  if (fault !== null) report(search, fault)
}

const PROTO = '__proto__'
const CONSTRUCTOR = 'constructor'

const reachesForPrototype = ({ json, hasEscapes }: Search, name: number): boolean => {
  const length = endOf(json, name) - startOf(json, name) - 2
  if (length < PROTO.length || (!hasEscapes && length > CONSTRUCTOR.length)) return false
  const parsed = nameOf(json, name)
  return parsed === PROTO || (parsed === CONSTRUCTOR && findMember(json, name + ENTRY_SIZE, 'prototype') !== null)
}

/** Valid UTF-8 has no surrogates and valid JSON no raw control characters, so both can only come from escapes. */
const isWellFormed = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    if (byteAt(bytes, at) !== BACKSLASH) continue
    at += 1
    if (byteAt(bytes, at) !== 0x75) continue
    const unit = readUnit(bytes, at + 1)
    if (unit === 0 || isLow(unit)) return false
    at += 4
    if (!isHigh(unit)) continue
    const isEscaped = byteAt(bytes, at + 1) === BACKSLASH && byteAt(bytes, at + 2) === 0x75
    if (!isEscaped || !isLow(readUnit(bytes, at + 3))) return false
    at += 6
  }
  return true
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

const isFull = ({ faults }: Search): boolean => faults.length > LISTED_FAULTS

const report = ({ json, path, faults }: Search, message: string): void => {
  faults.push({ pointer: pointerTo(path.map((part) => (part < 0 ? ~part : nameOf(json, part)))), message })
}
