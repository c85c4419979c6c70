import { describe, expect, it } from 'vitest'
import { describeObstacle } from './database-obstacle.ts'

const USABLE = {
  database: 'gateway',
  role: 'gateway',
  version: 150_004,
  encoding: 'UTF8',
  searchPath: '"$user", public',
  schema: 'public',
  mayCreate: true,
  isReadOnly: false,
}

describe('a database', () => {
  it('can be used from PostgreSQL 15 on', () => {
    expect(describeObstacle(USABLE)).toBeNull()
  })

  it.each([
    [{ version: 140_011 }, /PostgreSQL 14; the gateway needs 15 or later/],
    [{ encoding: 'LATIN1' }, /encoding LATIN1.*create database gateway encoding 'UTF8'/],
    [{ encoding: 'SQL_ASCII' }, /encoding SQL_ASCII/],
    [{ isReadOnly: true }, /takes no writes: set DATABASE_URL to the primary/],
    [{ schema: null, searchPath: 'elsewhere', mayCreate: false }, /search path \(elsewhere\) exists.*set search_path/],
    [{ mayCreate: false }, /may not create tables in the schema public.*grant create, usage/],
  ])('with %j is refused, and the message says how to fix it', (traits, message) => {
    expect(describeObstacle({ ...USABLE, ...traits })).toMatch(message)
  })
})
