import { isUtf8 } from 'node:buffer'
import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { pointerToLast } from '../../domain/json/find-value.ts'
import { findJsonFaults } from '../../domain/json/json-faults.ts'
import { BODY_LIMITS, TOO_MANY_NODES } from '../../domain/json/limits.ts'
import type { ScanFault, ScanLimits } from '../../domain/json/scan-json.ts'
import { scanJson } from '../../domain/json/scan-json.ts'
import type { ScannedJson } from '../../domain/json/scanned-json.ts'
import { ROOT } from '../../domain/json/scanned-json.ts'

/** A body that this gateway does not accept as JSON. */
export class UnusableJson {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    this.faults = faults
  }
}

/**
 * Scans a JSON body. It is unusable if it is not UTF-8, is not JSON, exceeds the limits, or cannot be stored and
 * compared; see `findJsonFaults`.
 * @param limits Default: those of a request.
 */
export const checkJsonBody = (bytes: Buffer, limits: ScanLimits = BODY_LIMITS): ScannedJson | UnusableJson => {
  const json = scanBody(bytes, limits)
  if (json instanceof UnusableJson) return json
  const faults = findJsonFaults(json, ROOT)
  return faults.length > 0 ? new UnusableJson(faults) : json
}

/** Finds the values of a JSON text without parsing their contents. A byte order mark in front is ignored (RFC 8259). */
export const scanBody = (bytes: Buffer, limits: ScanLimits): ScannedJson | UnusableJson => {
  if (!isUtf8(bytes)) return new UnusableJson([{ pointer: '', message: 'is not valid UTF-8' }])
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  const json = scanJson(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes, limits)
  return 'fault' in json ? new UnusableJson([explain(json, limits)]) : json
}

const BYTE_ORDER_MARK = Buffer.from('\u{feff}')

const explain = ({ fault, found }: ScanFault, { depth }: ScanLimits): Fault => {
  switch (fault) {
    case 'syntax':
      return { pointer: '', message: 'is not valid JSON' }
    case 'nodes':
      return { pointer: '', message: TOO_MANY_NODES }
    case 'depth':
      return { pointer: pointerToLast(found), message: `is nested deeper than ${depth} levels` }
  }
}
