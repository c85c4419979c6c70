import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import vectors from '../../../sdk/vectors/signature-vectors.json' with { type: 'json' }
import { readDocuments } from './documents.ts'

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Names have no case, and a repeated header arrives joined. */
const headersOf = (pairs: readonly (readonly string[])[]): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [name = '', value = ''] of pairs) {
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  return headers
}

const RUN = `
import base64, json, sys
for each in json.load(sys.stdin):
    print(is_genuine(each["headers"], base64.b64decode(each["body"]), each["secrets"], each["now"]))
`

it.skipIf(!hasPython)('the Python of the guide verifies what the test vectors say (needs python3)', async () => {
  const guide = (await readDocuments()).find(({ path }) => path === 'docs/guides/receive-callbacks.md')
  const program = guide?.blocks.find(({ words }) => words.includes('file=verify.py'))?.code ?? ''
  const input = vectors.map(({ headers, body_base64: body, secrets, now }) => ({
    headers: headersOf(headers),
    body,
    secrets,
    now,
  }))
  const { stdout, stderr } = spawnSync('python3', ['-c', `${program}\n${RUN}`], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const verdicts = stdout.trim().split('\n')
  expect(vectors.map(({ name }, index) => [name, verdicts[index]])).toEqual(
    vectors.map(({ name, expect: { ok } }) => [name, ok ? 'True' : 'False']),
  )
})
