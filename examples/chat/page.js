const find = (selector) => document.querySelector(selector)
const [main, form, stop, reset, problem, send] = ['main', 'form', '#stop', '#reset', '#problem', '#send'].map(find)
let [generation, running, id] = [0, null, crypto.randomUUID()]

const create = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/** Replaces the element with the same ID, or inserts the element after another one, or at the end. */
const put = (element, before = main.lastElementChild) => {
  const isAtEnd = main.scrollHeight - main.scrollTop - main.clientHeight < 40
  const drawn = document.getElementById(element.id)
  if (drawn !== null) drawn.replaceWith(element)
  else if (before !== null) before.after(element)
  else main.append(element)
  if (isAtEnd) main.scrollTop = main.scrollHeight
}

const STATES = { running: '…', succeeded: '✓', failed: '✗' }
const drawActivity = (messageId, { activity_id, title, name, state, text, input, output }) => {
  const content = create('pre', {}, text ?? JSON.stringify({ input, output }))
  const id = `${messageId} ${activity_id}`
  // Open, unless the user has closed it.
  const open = document.getElementById(id)?.open ?? true
  return create('details', { id, open }, create('summary', {}, `${title ?? name} ${STATES[state]}`), content)
}

const drawRow = ([name, value]) => create('tr', {}, create('th', {}, name), create('td', {}, String(value)))
const drawData = (data) => create('table', {}, ...Object.entries(data).map(drawRow))

const drawMessage = ({ message_id, run_id, role, content: { text, activities = [], data } }) => {
  const parts = [...activities.map((each) => drawActivity(message_id, each)), create('p', {}, text ?? '')]
  if (data) parts.push(drawData(data))
  put(create('article', { id: message_id, className: `${role} ${run_id}` }, ...parts))
}

const drawRun = ({ run_id, state, result }) => {
  const isRunning = ['queued', 'running', 'waiting_approval', 'cancelling'].includes(state)
  if (isRunning) running = run_id
  else if (running === run_id) running = null
  if (isRunning || state === 'succeeded') return
  const note = create('p', { id: run_id, className: 'note' }, result?.error?.message ?? `The answer was ${state}.`)
  put(note, [...main.getElementsByClassName(run_id)].at(-1))
}

// It reconnects automatically, and then begins with the current chat.
new EventSource('events').onmessage = ({ data }) => {
  const change = JSON.parse(data)
  if (change.generation !== generation) main.replaceChildren()
  generation = change.generation
  for (const message of change.messages) if (message.generation === generation) drawMessage(message)
  for (const run of change.runs) if (run.generation === generation) drawRun(run)
  stop.hidden = running === null
  send.disabled = false
}

const post = async (path, body = {}) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null)
  const refusal = response?.ok ? { message: '' } : await response?.json().catch(() => null)
  problem.textContent = refusal?.message ?? 'No answer came. Please try again.'
  return response
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const response = await post('messages', { id, text: form.text.value, generation })
  // The message was admitted or refused. After any other answer the outcome is unknown, and a retry keeps the ID.
  if (response !== null && response.status < 500) id = crypto.randomUUID()
  if (response?.ok) form.reset()
})
stop.addEventListener('click', () => post(`cancel/${running}`))
reset.addEventListener('click', () =>
  post('reset', { expected_generation: generation, busy_policy: 'cancel_and_reset' }),
)
