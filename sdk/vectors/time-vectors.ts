import { createVector, NOW, type Vector } from './vector.ts'

/** Differences between the timestamp and the clock, and valid and malformed timestamps. */
export const createTimeVectors = (): Promise<Vector[]> =>
  Promise.all([
    ...[0, 1, 299, 300].flatMap((seconds) => [
      createVector(`time-${seconds}-s-old`, `Signed ${seconds} s before the receiver's clock.`, {
        timestamp: String(NOW - seconds),
      }),
      createVector(`time-${seconds}-s-ahead`, `Signed ${seconds} s after the receiver's clock.`, {
        timestamp: String(NOW + seconds),
      }),
    ]),
    ...[301, 3600, 31_536_000].flatMap((seconds) => [
      createVector(`time-${seconds}-s-old`, `Signed ${seconds} s before the receiver's clock: beyond the tolerance.`, {
        timestamp: String(NOW - seconds),
        refused: 'too_old',
      }),
      createVector(`time-${seconds}-s-ahead`, `Signed ${seconds} s after the receiver's clock: beyond the tolerance.`, {
        timestamp: String(NOW + seconds),
        refused: 'too_new',
      }),
    ]),
    createVector('time-zero', 'Unix time 0 is a valid timestamp, and too old.', {
      timestamp: '0',
      refused: 'too_old',
    }),
    createVector('time-zero-at-zero', 'A timestamp of 0 is accepted if the clock shows 0.', {
      timestamp: '0',
      now: 0,
    }),
    createVector('time-milliseconds', 'A timestamp in milliseconds is far in the future.', {
      timestamp: `${NOW}000`,
      refused: 'too_new',
    }),
    createVector('time-beyond-64-bits', 'A number that overflows 64 bits must not wrap around.', {
      timestamp: '18446744075476777216',
      refused: 'too_new',
    }),
    createVector('time-beyond-doubles', 'A number of 400 digits must not overflow to infinity.', {
      timestamp: '9'.repeat(400),
      refused: 'too_new',
    }),
    createVector('time-leading-zeros', 'Leading zeros are valid, and the signature covers them.', {
      timestamp: `000${NOW}`,
    }),
    ...Object.entries({
      'an-empty-value': '',
      'a-plus-sign': `+${NOW}`,
      'a-minus-sign': `-${NOW}`,
      'a-fraction': `${NOW}.0`,
      'an-exponent': '1767225600e0',
      'hex-digits': '0x69557f80',
      'a-digit-separator': '1_767_225_600',
      'a-thousands-separator': '1,767,225,600',
      'a-unit': `${NOW}s`,
      'an-iso-date': '2026-01-01T00:00:00Z',
      'not-a-number': 'NaN',
      'arabic-digits': '١٧٦٧٢٢٥٦٠٠',
      'full-width-digits': '１７６７２２５６００',
      'a-leading-space': ` ${NOW}`,
      'a-trailing-space': `${NOW} `,
      'a-trailing-line-feed': `${NOW}\n`,
      'an-inner-space': '1767225 600',
      'a-second-line': `${NOW}\n${NOW}`,
    }).map(([name, timestamp]) =>
      createVector(
        `time-with-${name}`,
        `The signature is valid, but the timestamp is not only ASCII digits: ${JSON.stringify(timestamp)}.`,
        {
          timestamp,
          refused: 'malformed_timestamp',
        },
      ),
    ),
  ])
