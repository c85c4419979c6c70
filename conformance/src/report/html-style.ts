/** The styles of the report, for light and dark mode. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1f26; --soft: #5b6270; --line: #e2e5ea; --panel: #f6f7f9;
  --good: #0f6b3f; --bad: #a3182b; --warn: #7a5200; --info: #1f4f9c; --gray: #565d69 }
@media (prefers-color-scheme: dark) { :root { --back: #14161a; --text: #e6e8ec; --soft: #a3aab6; --line: #2c313a; --panel: #1c1f25;
  --good: #62c794; --bad: #ff8a96; --warn: #e6b450; --info: #8ab4f8; --gray: #a9b0bc } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 2.5rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line) }
h1 { margin: .1em 0; font-size: 2.4rem; letter-spacing: -.02em }
header.good h1 { color: var(--good) } header.bad h1 { color: var(--bad) } header.open h1 { color: var(--warn) }
.extent { margin: 0; font-size: 1.1rem } h3 { margin: 1.4rem 0 .5rem; font-size: 1rem } small { color: var(--soft); font-weight: 400 }
a { color: var(--info); text-underline-offset: .15em } [hidden] { display: none !important }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0 0 1rem; padding: 0; list-style: none }
#filter { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center }
#filter input, #filter select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .5rem; max-width: 100% }
.source { margin: .3rem 0 } dt { margin-top: .6rem } dd { margin-left: 0; overflow-wrap: anywhere } dt:target, .check:target > summary { background: var(--panel) }
h2 { margin: 2.2rem 0 .8rem; font-size: 1.25rem }
.eyebrow, .subject, footer { color: var(--soft) } .eyebrow, .subject { margin: 0 } .subject { overflow-wrap: anywhere }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: 1.2rem 0; padding: 0; list-style: none }
.counts b { font-size: 1.5rem; font-variant-numeric: tabular-nums }
.counts .failed b { color: var(--bad) } .counts .passed b { color: var(--good) } .counts .warning b, .counts .known b { color: var(--warn) }
code, pre { font: 13px/1.5 ui-monospace, monospace }
.check { margin: .3rem 0; border: 1px solid var(--line); border-left: 4px solid var(--gray); border-radius: 6px }
.check.failed { border-left-color: var(--bad) } .check.passed { border-left-color: var(--good) }
.check.warning, .check.known { border-left-color: var(--warn) } .check.info { border-left-color: var(--info) }
.check > :not(summary) { margin-left: 1rem; margin-right: 1rem }
summary { padding: .45rem .9rem; cursor: pointer } summary code { color: var(--soft); overflow-wrap: anywhere }
.badge { font-size: 12px; font-weight: 600; text-transform: uppercase; letter-spacing: .04em; color: var(--gray) }
.failed .badge { color: var(--bad) } .passed .badge { color: var(--good) } .warning .badge, .known .badge { color: var(--warn) } .info .badge { color: var(--info) }
.rules { padding-left: 1.1rem } .level { font-size: 12px; color: var(--soft) }
.message { padding: .7rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--bad) }
.untestable .message { color: var(--text) }
figure { margin: .6rem 0 } figcaption { color: var(--soft); font-size: 13px }
figure pre { margin: 0; padding: .7rem; background: var(--panel); border-left: 3px solid var(--line); overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
figure.out pre { border-left-color: var(--info) } figure.in pre { border-left-color: var(--good) }
figure.culprit pre { border-left-color: var(--bad); outline: 1px solid var(--bad) } figure.culprit strong { color: var(--bad) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right } th:first-child { text-align: left; font-weight: 500 }
.bar { display: flex; width: 9rem; height: .6rem; border-radius: 3px; overflow: hidden; background: var(--line) }
.bar .passed { background: var(--good) } .bar .failed { background: var(--bad) } .bar .untestable { background: var(--warn) }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
footer { margin-top: 2rem; padding-bottom: 2rem }
`
