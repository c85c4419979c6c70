import type { FieldError } from '../generated/gateway.ts'

/** A fault of a value. A body whose faults are all unknown members is refused with UNKNOWN_FIELD. */
export interface ShapeFault extends FieldError {
  readonly isUnknownMember?: true
}

/** What a value must look like; empty when it does. `pointer` says where in the body it stands (RFC 6901). */
export type Rule = (value: unknown, pointer: string) => readonly ShapeFault[]

/** The rules of an object that has all members of the contract's type and no others. */
export interface Shape<T> {
  readonly faultsOf: Rule
  readonly accepts: (value: unknown) => value is T
}

type MemberRules<T> = { readonly [Name in keyof Required<T>]: Member<object extends Pick<T, Name> ? false : true> }

interface Member<Required extends boolean> {
  readonly required: Required
  readonly rule: Rule
}

export const required = (rule: Rule): Member<true> => ({ required: true, rule })
export const optional = (rule: Rule): Member<false> => ({ required: false, rule })

/** @param whole a rule for the object as a whole, asked once its members are sound. */
export const object = <T extends object>(members: MemberRules<T>, whole: Rule = () => []): Shape<T> => {
  const rules = new Map(Object.entries<Member<boolean>>(members))
  const faultsOf: Rule = (value, pointer) => {
    if (!isObject(value)) return fault(pointer, 'must be an object')
    const unknown = Object.keys(value)
      .filter((name) => !rules.has(name))
      .map((name) => ({
        pointer: `${pointer}/${escapeSegment(name)}`,
        message: 'is not a known member',
        isUnknownMember: true as const,
      }))
    const faults = [...rules].flatMap(([name, { required, rule }]) => {
      if (Object.hasOwn(value, name)) return rule(value[name], `${pointer}/${name}`)
      return required ? fault(`${pointer}/${name}`, 'is required') : []
    })
    return unknown.length + faults.length > 0 ? [...unknown, ...faults] : whole(value, pointer)
  }
  return { faultsOf, accepts: (value): value is T => faultsOf(value, '').length === 0 }
}

export const integer =
  (minimum: number, maximum: number): Rule =>
  (value, pointer) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? []
      : fault(pointer, `must be an integer from ${minimum} to ${maximum}`)

export const text =
  (fits: (text: string) => boolean, message: string): Rule =>
  (value, pointer) =>
    typeof value === 'string' && isWellFormed(value) && fits(value) ? [] : fault(pointer, message)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fault = (pointer: string, message: string): readonly ShapeFault[] => [{ pointer, message }]

/** No lone surrogate and no NUL (D-25). */
export const isWellFormed = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
