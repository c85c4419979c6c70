import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import {
  createAs,
  expectDistinct,
  expectNamedEverywhere,
  expectSubjectNamed,
  SUBJECT_HEADER,
} from '../../../kit/steps/subjects.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'subjects/required-everywhere',
    title: 'every bearer route answers 400 INVALID_REQUEST, naming the header, if the subject is absent or empty',
    rules: ['SUBJ-05', 'SUBJ-10'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      for (const subject of [null, '']) await expectNamedEverywhere(t, ids, subject, JSON.stringify(subject))
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'subjects/length',
    title: 'a subject has 1 to 256 characters: 257 are refused on every route',
    rules: ['SUBJ-06', 'SUBJ-10'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const [longest, tooLong] = [256, 257].map((length) => t.fresh('subject').padEnd(length, 'x')) as [string, string]
      await expectNamedEverywhere(t, ids, tooLong, '257 characters')
      for (const subject of [longest, longest.slice(0, 255), 'x'])
        assert.equal(expectStatus(await createAs(t, subject), 201).body.subject, subject)
      const own = t.caller({ subject: longest })
      const { conversation_id: id } = await t.conversation({}, own)
      expectStatus(await own.snapshot(id), 200)
      expectStatus(await t.caller({ subject: longest.slice(0, 255) }).snapshot(id), 404)
    },
  },
  {
    id: 'subjects/visible-characters',
    title: 'a subject may contain any visible character and spaces inside; a control character is 400 INVALID_REQUEST',
    rules: ['SUBJ-07', 'SUBJ-10'],
    tags: ['security'],
    needs: ['freshSubjects'],
    streams: 1,
    run: async (t) => {
      const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
      for (const subject of [`Ada Lovelace, ${t.fresh()}`, `a  b ${t.fresh()}`, `${punctuation}${t.fresh()}`])
        assert.equal(expectStatus(await createAs(t, subject), 201).body.subject, subject)
      await expectNamedEverywhere(t, await finishedRecords(t), 'a\tb', 'a tab')
    },
  },
  {
    id: 'subjects/surrounding-white-space',
    title: 'white space around a subject is removed or refused; a subject of only white space is refused',
    rules: ['SUBJ-08', 'SUBJ-10'],
    tags: ['security'],
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const subject of [' ', '   ', '\t', ' \t '])
        expectSubjectNamed(await createAs(t, subject), JSON.stringify(subject))
      const plain = t.fresh('padded')
      for (const padded of [` ${plain}`, `${plain} `, `  ${plain}  `, `\t${plain}\t`]) {
        const answer = await createAs(t, padded)
        if (answer.status === 201) assert.equal(answer.body.subject, plain, `the subject ${JSON.stringify(padded)}`)
        else expectSubjectNamed(answer, JSON.stringify(padded))
      }
    },
  },
  {
    id: 'subjects/not-decoded',
    title: 'a subject is not decoded: a%20b, a+b and a b are three subjects, and each is shown unchanged',
    rules: ['SUBJ-09'],
    tags: ['security'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const mark = t.fresh()
      const subjects = ['a%20b', 'a b', 'a+b', 'a%2520b', 'a%2bb', 'a%2Bb'].map((name) => name + mark)
      await expectDistinct(t, subjects)
    },
  },
  {
    id: 'subjects/given-twice',
    title: 'a repeated subject header selects neither subject, on every route',
    rules: ['SUBJ-10'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t)) {
        const answer = await ask(t.me, route, ids, { headers: { [SUBJECT_HEADER]: [t.me.subject, t.otherSubject()] } })
        // HTTP may join two lines with a comma. The result is a third subject, which gets 404 for these records.
        if (answer.status === 400) expectRefusal(answer, 400, 'INVALID_REQUEST')
        else if (route.names !== undefined && route.names !== 'endpoint') expectStatus(answer, 404)
        else
          for (const value of [t.me.subject, t.otherSubject()])
            assert.ok(!answer.text.includes(`"${value}"`), `${route.name} used one of the two subjects`)
      }
    },
  },
]
