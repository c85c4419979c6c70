import { type Contract, type Json, objectAddress, resolveSchema, type Schema } from '../contract.ts'
import { code, escapeHtml, joined, prose } from '../markdown.ts'
import { constraintsOf } from './constraints.ts'

/** A member of a body, or a parameter, as a page shows it. */
export interface Field {
  /** The path from the root of the body; `[]` stands for the items of a list. */
  readonly path: string
  readonly type: FieldType
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  readonly description: string
  readonly constraints: readonly string[]
  readonly values: readonly Json[]
}

interface FieldType {
  readonly text: string
  /** The object, if it has its own section. */
  readonly object: string | null
}

/** The levels of nested members that are listed; deeper members are only in the section of their object. */
const DEPTH = 4

/** The members of an object in reading order. @param nested whether the members of named objects are listed too. */
export const listFields = (contract: Contract, schema: Schema, nested: boolean): Field[] =>
  membersOf(contract, schema, '', nested, DEPTH)

const membersOf = (contract: Contract, given: Schema, prefix: string, nested: boolean, depth: number): Field[] => {
  const { schema } = resolveSchema(contract, given)
  const required: unknown = schema.required
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name
    const field = describeField(contract, path, member, isRequired(name))
    const inner = innerObject(contract, member)
    const isListed = inner !== null && depth > 1 && (nested || inner.name === null)
    if (!isListed) return [field]
    const prefixOfMembers = inner.isList ? `${path}[].` : `${path}.`
    return [field, ...membersOf(contract, inner.schema, prefixOfMembers, nested, depth - 1)]
  })
}

/** A parameter or member on its own, without its members. */
export const describeField = (contract: Contract, path: string, given: Schema, isRequired: boolean): Field => {
  const { schema } = resolveSchema(contract, given)
  const description = [given.description, schema.description].find((text) => typeof text === 'string')
  return {
    path,
    type: typeOf(contract, given),
    isRequired,
    isDeprecated: given.deprecated === true || schema.deprecated === true,
    description: typeof description === 'string' ? description : '',
    constraints: constraintsOf({ ...schema, ...given }),
    values: valuesOf(schema),
  }
}

const innerObject = (contract: Contract, given: Schema) => {
  const { name, schema } = resolveSchema(contract, given)
  if (schema.items !== undefined) {
    const inner = resolveSchema(contract, schema.items)
    return inner.schema.properties === undefined ? null : { ...inner, isList: true }
  }
  return schema.properties === undefined ? null : { name, schema, isList: false }
}

const typeOf = (contract: Contract, given: Schema): FieldType => {
  const { name, schema } = resolveSchema(contract, given)
  if (schema.items !== undefined) {
    const { text, object } = typeOf(contract, schema.items)
    return { text: `list of ${text}`, object }
  }
  const choices = schema.oneOf ?? (schema['x-open-enum'] === true ? undefined : schema.anyOf)
  if (schema.properties !== undefined || (choices !== undefined && name !== null && isObjectLike(contract, schema)))
    return { text: name ?? 'object', object: name }
  if (choices !== undefined) {
    const types = choices.map((choice) => typeOf(contract, choice))
    return {
      text: types.map(({ text }) => text).join(' or '),
      object: types.find(({ object }) => object)?.object ?? null,
    }
  }
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'string')
  return { text: schema.const === undefined ? type : JSON.stringify(schema.const), object: null }
}

const isObjectLike = (contract: Contract, { oneOf, anyOf }: Schema): boolean =>
  (oneOf ?? anyOf ?? []).some((each) => {
    const { schema } = resolveSchema(contract, each)
    return schema.properties !== undefined || isObjectLike(contract, schema)
  })

const valuesOf = (schema: Schema): Json[] => schema.enum ?? schema.anyOf?.flatMap((each) => each.enum ?? []) ?? []

/** The fields as a definition list, which fits the width of a phone. */
export const fieldList = (contract: Contract, fields: readonly Field[]): string =>
  fields.length === 0
    ? ''
    : `<dl class="fields">\n${fields.map((field) => fieldItem(contract, field)).join('\n')}\n</dl>`

const fieldItem = (contract: Contract, { path, type, isRequired, isDeprecated, ...field }: Field): string => {
  const shown = escapeHtml(type.text)
  const linked =
    type.object === null ? shown : `<a :href="$withBase('${objectAddress(contract, type.object)}')">${shown}</a>`
  const marks = [
    isRequired ? '<span class="mark required">required</span>' : '',
    isDeprecated ? '<span class="mark deprecated">deprecated</span>' : '',
  ].filter(Boolean)
  const details = [
    field.values.length > 0 ? `One of ${field.values.map((value) => `\`${value}\``).join(', ')}.` : '',
    field.constraints.join(' · '),
  ].filter(Boolean)
  return joined([
    `<div><dt>${code(path)} <span class="type">${linked}</span>${marks.map((mark) => ` ${mark}`).join('')}</dt><dd>`,
    prose(field.description),
    details.length > 0 ? `<small>\n\n${details.join(' ')}\n\n</small>` : '',
    '</dd></div>',
  ])
}
