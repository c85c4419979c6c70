import { Link, Route, Switch } from 'wouter-preact'
import { Application } from '../pages/applications/application.tsx'
import { Applications } from '../pages/applications/applications.tsx'
import { Approvals } from '../pages/approvals.tsx'
import { Audit } from '../pages/audit.tsx'
import { Deliveries } from '../pages/callbacks/deliveries.tsx'
import { Delivery } from '../pages/callbacks/delivery.tsx'
import { Conversation } from '../pages/conversation.tsx'
import { Conversations } from '../pages/conversations.tsx'
import { Device } from '../pages/devices/device.tsx'
import { Devices } from '../pages/devices/devices.tsx'
import { Integrations } from '../pages/integrations.tsx'
import { Operators } from '../pages/operators.tsx'
import { Overview } from '../pages/overview.tsx'
import { Run } from '../pages/runs/run.tsx'
import { Runs } from '../pages/runs/runs.tsx'
import { Usage } from '../pages/usage.tsx'
import { Page } from '../parts/page.tsx'

export const Routes = () => (
  <Switch>
    <Route path="/" component={Overview} />
    <Route path="/runs" component={Runs} />
    <Route path="/runs/:id">{({ id }) => <Run key={id} id={id} />}</Route>
    <Route path="/conversations" component={Conversations} />
    <Route path="/conversations/:id">{({ id }) => <Conversation id={id} />}</Route>
    <Route path="/approvals" component={Approvals} />
    <Route path="/deliveries" component={Deliveries} />
    <Route path="/deliveries/:id">{({ id }) => <Delivery id={id} />}</Route>
    <Route path="/usage" component={Usage} />
    <Route path="/devices" component={Devices} />
    <Route path="/devices/:id">{({ id }) => <Device id={id} />}</Route>
    <Route path="/apps" component={Applications} />
    <Route path="/apps/:id">{({ id }) => <Application id={id} />}</Route>
    <Route path="/operators" component={Operators} />
    <Route path="/audit" component={Audit} />
    <Route path="/integrations" component={Integrations} />
    <Route>
      <Page title="No such page">
        <p>
          The console has no page here. <Link href="/">Go to the overview.</Link>
        </p>
      </Page>
    </Route>
  </Switch>
)
