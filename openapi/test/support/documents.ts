import { readFileSync } from 'node:fs'
import type { Document } from '../../src/document/document.ts'

const read = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8'))

export const gateway = read('gateway.json')
export const admin = read('admin.json')
export const worker = read('worker.json')
export const control = read('control.json')

/** The documents of public APIs, for `describe.each`. */
export const DOCUMENTS: [name: string, document: Document][] = [
  ['gateway', gateway],
  ['admin', admin],
  ['worker', worker],
]
