/**
 * Filters the checks by text and status, and expands the section that contains a link's target. Without scripts the
 * page shows all checks and no filter.
 */
export const FILTER_SCRIPT = `
const form = document.querySelector('#filter')
const checks = [...document.querySelectorAll('.check')].map((element) => ({ element, text: element.textContent.toLowerCase() }))
const show = () => {
  const text = form.elements.text.value.trim().toLowerCase()
  const status = form.elements.status.value
  let count = 0
  for (const { element, text: own } of checks) {
    const isShown = own.includes(text) && (status === '' || element.dataset.status === status)
    element.hidden = !isShown
    if (isShown) count += 1
  }
  for (const group of document.querySelectorAll('.group')) group.hidden = group.querySelector('.check:not([hidden])') === null
  form.querySelector('output').textContent = count === checks.length ? '' : count + ' of ' + checks.length + ' checks'
}
form.addEventListener('input', show)
form.addEventListener('submit', (event) => event.preventDefault())
form.hidden = false
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const details = target?.closest('details')
  if (details) { details.open = true; details.hidden = false; target.scrollIntoView() }
}
addEventListener('hashchange', open)
open()
show()
`
