import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import { createAs, expectDistinct, expectNamedEverywhere, expectSubjectNamed } from '../../../kit/steps/subjects.ts'
import { utf8Header } from '../../../kit/utf8-header.ts'

/** Values that are not valid UTF-8; each character stands for one byte. */
const INVALID_UTF8 = {
  'a byte that cannot begin a character': 'a\xff',
  'a text in Latin-1': 'M\xfcller',
  'a truncated sequence': '\xe2\x82',
  'an overlong form': 'a\xc0\xaf',
  'an encoded surrogate': 'a\xed\xa0\x80',
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'subjects/utf-8',
    title: 'the bytes of a subject are read as UTF-8: records show its characters, and are invisible to other subjects',
    rules: ['SUBJ-11'],
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const subject of [`Zoë ${t.fresh()}`, `名前 ${t.fresh()}`, `😀 ${t.fresh()}`, `عميل ${t.fresh()}`]) {
        const { conversation_id: id, subject: shown } = expectStatus(await createAs(t, utf8Header(subject)), 201).body
        assert.equal(shown, subject)
        expectStatus(await t.caller({ subject }).snapshot(id), 200)
        expectStatus(await t.me.snapshot(id), 404)
      }
    },
  },
  {
    id: 'subjects/no-utf-8',
    title: 'a subject whose bytes are not UTF-8 is 400 INVALID_REQUEST naming the header, on every route',
    rules: ['SUBJ-12'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      for (const [what, bytes] of Object.entries(INVALID_UTF8)) await expectNamedEverywhere(t, ids, bytes, what)
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'subjects/length-in-code-points',
    title: 'a subject has at most 256 code points, regardless of their size in bytes',
    rules: ['SUBJ-13'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const character of ['é', '漢', '😀']) {
        const start = t.fresh('subject')
        const longest = `${start}${character.repeat(256 - start.length)}`
        assert.equal(expectStatus(await createAs(t, utf8Header(longest)), 201).body.subject, longest)
        expectSubjectNamed(
          await createAs(t, utf8Header(`${longest}${character}`)),
          `257 code points, with ${character}`,
        )
      }
    },
  },
  {
    id: 'subjects/not-normalised',
    title: 'subjects that look alike but differ in their code points are different subjects',
    rules: ['SUBJ-14'],
    tags: ['security'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const mark = t.fresh()
      const subjects = ['é', 'e\u0301', 'å', '\u212b', 'Å', 'ﬁ', 'fi'].map((name) => `${name} ${mark}`)
      await expectDistinct(t, subjects)
    },
  },
]
