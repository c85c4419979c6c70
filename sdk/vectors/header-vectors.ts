import { createVector, EVENT, type Header, NOW, type Vector } from './vector.ts'

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const rename = (from: string, to: string) => (headers: readonly Header[]) =>
  headers.map(([name, value]): Header => [name === from ? to : name, value])

/** Adds a second line after the header `name`. */
const repeat = (name: string, again: (header: Header) => Header) => (headers: readonly Header[]) =>
  headers.flatMap((header) => (header[0] === name ? [header, again(header)] : [header]))

const replace = (name: string, change: (value: string) => string) => (headers: readonly Header[]) =>
  headers.map((header): Header => (header[0] === name ? [name, change(header[1])] : header))

/** Missing and repeated headers, and valid and malformed event IDs. */
export const createHeaderVectors = (): Promise<Vector[]> =>
  Promise.all([
    ...SIGNATURE_HEADERS.flatMap((name) => [
      createVector(`headers-without-${name}`, `${name} is missing.`, {
        headers: (all) => all.filter(([each]) => each !== name),
        refused: 'missing_header',
      }),
      createVector(`headers-with-${name}-twice`, `${name} occurs in two lines with the same value.`, {
        headers: repeat(name, (header) => header),
        refused: 'duplicate_header',
      }),
      createVector(
        `headers-with-${name}-twice-in-two-cases`,
        `${name} occurs in two lines that differ in the case of the name.`,
        {
          headers: repeat(name, ([, value]) => [name.toUpperCase(), value]),
          refused: 'duplicate_header',
        },
      ),
      createVector(`headers-with-${name}-joined`, `An HTTP stack has joined two lines of ${name} into one.`, {
        headers: replace(name, (value) => `${value}, ${value}`),
        refused: 'duplicate_header',
      }),
      createVector(`headers-with-${name}-in-upper-case`, 'Header names are case-insensitive.', {
        headers: rename(name, name.toUpperCase()),
      }),
      createVector(`headers-with-${name}-underscored`, `${name.replace('-', '_')} is a different header.`, {
        headers: rename(name, name.replace('-', '_')),
        refused: 'missing_header',
      }),
    ]),
    createVector('headers-in-title-case', 'Header names are case-insensitive.', {
      headers: (all) =>
        all.map(([name, value]): Header => [name.replace(/(^|-)[a-z]/g, (c) => c.toUpperCase()), value]),
    }),
    createVector('headers-in-another-order', 'The order of headers is irrelevant.', {
      headers: (all) => all.toReversed(),
    }),
    createVector('headers-with-others', 'Other headers are ignored.', {
      headers: (all) => [['x-webhook-id', 'other'], ...all, ['webhook-signature-2', 'v1,00']],
    }),
    createVector('headers-of-another-scheme', 'The same values under the names of another webhook scheme.', {
      headers: (all) => all.map(([name, value]): Header => [name.replace('webhook-', 'svix-'), value]),
      refused: 'missing_header',
    }),
    createVector('headers-none', 'No header at all.', { headers: () => [], refused: 'missing_header' }),
    createVector('headers-second-id-differs', 'Two IDs, of which the first was signed.', {
      headers: repeat('webhook-id', ([name]) => [name, 'evt_other']),
      refused: 'duplicate_header',
    }),
    createVector('headers-missing-before-malformed', 'A missing header is reported before a malformed one.', {
      id: 'evt 1',
      headers: (all) => all.filter(([name]) => name !== 'webhook-signature'),
      refused: 'missing_header',
    }),

    ...Object.entries({
      'one-character': 'e',
      '128-characters': 'e'.repeat(128),
      dots: 'evt.1.2..3.',
      'only-a-dot': '.',
      'all-punctuation': '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
      'a-comma': 'evt,1',
      'only-digits': String(NOW),
    }).map(([name, id]) => createVector(`id-of-${name}`, `A valid ID: ${JSON.stringify(id)}.`, { id })),
    ...Object.entries({
      'an-empty-value': '',
      '129-characters': 'e'.repeat(129),
      'an-inner-space': 'evt 1',
      'a-leading-space': ` ${EVENT}`,
      'a-trailing-space': `${EVENT} `,
      'a-trailing-line-feed': `${EVENT}\n`,
      'a-tab': 'evt\t1',
      'a-null-character': 'evt\u00001',
      'a-control-character': 'evt\u001b[31m',
      'a-delete-character': 'evt\u007f',
      'a-latin-letter-with-accent': 'evt_é',
      'a-no-break-space': 'evt\u00a01',
      'an-emoji': 'evt_🙂',
    }).map(([name, id]) =>
      createVector(
        `id-with-${name}`,
        `The signature is valid, but the ID is not 1-128 printable ASCII characters: ${JSON.stringify(id)}.`,
        {
          id,
          refused: 'malformed_id',
        },
      ),
    ),
  ])
