import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { guideProgram, QUESTIONS, VERDICTS, verdictsOf } from './signature-vectors.ts'

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Passes the names of headers in lower case, and joins repeated headers, as web servers do. */
const RUN = `
import base64, json, sys
for each in json.load(sys.stdin):
    headers = {}
    for name, value in each["headers"]:
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    print(is_genuine(headers, base64.b64decode(each["body"]), each["secrets"], each["now"]))
`

it.skipIf(!hasPython)(
  'the Python program of the guide gives the expected results for the test vectors (needs python3)',
  async () => {
    const { stdout, stderr } = spawnSync('python3', ['-c', `${await guideProgram('verify.py')}\n${RUN}`], {
      input: JSON.stringify(QUESTIONS),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(verdictsOf(stdout)).toEqual(VERDICTS)
  },
)
