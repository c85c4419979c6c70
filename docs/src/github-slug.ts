/** The anchor that GitHub gives to a heading: a link to it works there and in the site. */
export const githubSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replaceAll(/\s/g, '-')
