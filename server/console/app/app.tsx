import { Router } from 'wouter-preact'
import { Announcer } from '../parts/announcer.tsx'
import { Dialogs } from '../parts/dialogs.tsx'
import { session } from '../session.ts'
import { Routes } from './routes.tsx'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

export const App = () => (
  <Router base="/console">
    {session.value === null ? (
      <SignIn />
    ) : (
      <Shell>
        <Routes />
      </Shell>
    )}
    <Dialogs />
    <Announcer />
  </Router>
)
