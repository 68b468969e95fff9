import * as assert from 'uvu/assert';
import { mailOf, slackOf, webhookOf, type Telling } from '../../domain/notifications/channels/messages.js';
import { suite } from '../suite.js';

const BASE = 'https://presage.example.org';
const AT = Date.UTC(2026, 4, 4);
const telling = (over: Partial<Telling> = {}): Telling => ({
  ...{ notificationId: 'ntf_1', kind: 'deployment.ready', title: 'It is ready', body: 'It answers.' },
  ...{ severity: 'info', data: { promotion_id: 'prm_1' }, workspaceId: 'wsp_1', goalId: null },
  ...{ link: null, createdAt: AT, lastAt: AT, groupKey: 'deployment.ready/prm_1', count: 1 },
  ...over,
});
const one = (over?: Partial<Telling>) => ({ digest: false, tellings: [telling(over)] });
const digest = (...tellings: Telling[]) => ({ digest: true, tellings });

suite('what is said over channels', test => {
  test('a mail has the title as its subject, on one line however it is written', () => {
    assert.equal(mailOf(one(), BASE), { subject: 'It is ready', text: 'It is ready\nIt answers.\n' });
    const odd = mailOf(
      one({ title: 'One\r\nBcc: eve@example.org', severity: 'critical', link: '/v1/x' }),
      BASE,
    );
    assert.is(odd.subject, '[critical] One Bcc: eve@example.org');
    assert.ok(odd.text.endsWith(`\nIt answers.\n${BASE}/v1/x\n`));
    assert.is(mailOf(one({ title: 'x'.repeat(500) }), BASE).subject.length, 200);
  });

  test('a digest says how many, and how bad the worst is', () => {
    const { subject, text } = mailOf(
      digest(telling(), telling({ title: 'Beware', severity: 'warning' })),
      BASE,
    );
    assert.is(subject, '[warning] 2 notifications');
    assert.is(text, 'It is ready\nIt answers.\n\n[warning] Beware\nIt answers.\n');
    assert.is(mailOf(digest(telling()), BASE).subject, '1 notification');
  });

  test('a webhook gets the notification, and of a digest all with the time of the newest', () => {
    const item = {
      ...{ notification_id: 'ntf_1', kind: 'deployment.ready', title: 'It is ready', body: 'It answers.' },
      ...{
        severity: 'info',
        data: { promotion_id: 'prm_1' },
        workspace_id: 'wsp_1',
        goal_id: null,
        link: null,
      },
      ...{ created_at: '2026-05-04T00:00:00.000Z', last_at: '2026-05-04T00:00:00.000Z' },
      ...{ group_key: 'deployment.ready/prm_1', count: 1 },
    };
    assert.equal(webhookOf(one()), { type: 'deployment.ready', timestamp: item.created_at, data: item });
    const later = telling({ createdAt: AT + 1 });
    assert.equal(webhookOf(digest(telling(), later)), {
      type: 'digest',
      timestamp: '2026-05-04T00:00:00.001Z',
      data: { notifications: [item, { ...item, created_at: '2026-05-04T00:00:00.001Z' }] },
    });
  });

  test('what slack would take for a command, a mention or a link is plain text', () =>
    assert.equal(slackOf(one({ title: '<!channel> & <https://evil.test|here>', link: '/v1/x' }), BASE), {
      text: `*&lt;!channel&gt; &amp; &lt;https://evil.test|here&gt;*\nIt answers.\n${BASE}/v1/x`,
    }));
});
