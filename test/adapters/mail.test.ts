import { createServer } from 'node:net';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { smtpMailer } from '../../adapters/mail.js';
import { MailFailed } from '../../commands/ports/mail.js';
import { mailbox } from '../receivers.js';
import { suite } from '../suite.js';

const from = 'Presage <presage@example.org>';
const mail = { id: 'dlv_1', to: 'ann@example.org', subject: 'Subject', text: 'Text\n' };

const failing = async (sent: Promise<unknown>): Promise<readonly [string, number | null]> => {
  try {
    await sent;
  } catch (error) {
    assert.instance(error, MailFailed);
    const { reason, statusCode } = error as MailFailed;
    return [reason, statusCode];
  }
  return ['sent', null];
};

suite('mail', test => {
  test('comes as it was sent, with the same id whenever it is sent again', async () => {
    const box = await mailbox();
    const mailer = smtpMailer({ url: box.url, from });
    assert.is(await mailer.send(mail), 250);
    assert.is(await mailer.send(mail), 250);
    const [first, second] = box.mails;
    assert.is(first!.to, 'ann@example.org');
    assert.match(first!.head, /^From: Presage <presage@example.org>$/m);
    assert.match(first!.head, /^Subject: Subject\r?$/m);
    assert.match(first!.head, /^Auto-Submitted: auto-generated\r?$/m);
    for (const { head } of [first!, second!]) assert.match(head, /^Message-ID: <dlv_1@example.org>\r?$/m);
    assert.is(first!.text.trim(), 'Text');
    await mailer.close();
    await box.close();
  });

  test('an address or a subject cannot add receivers or headers', async () => {
    const box = await mailbox();
    const mailer = smtpMailer({ url: box.url, from });
    await mailer.send({ ...mail, subject: 'One\r\nBcc: eve@example.org\r\n\r\nAnother' });
    assert.not.match(box.mails[0]!.head, /^Bcc/im);
    assert.is(box.mails[0]!.to, 'ann@example.org');
    const odd = failing(mailer.send({ ...mail, to: 'ann@example.org, eve@example.org' }));
    await odd;
    assert.not(box.mails.some(({ to }) => to.split(',').includes('eve@example.org')));
    await mailer.close();
    await box.close();
  });

  test('whom the server does not know is told from a server that is not there', async () => {
    const box = await mailbox();
    const mailer = smtpMailer({ url: box.url, from });
    box.refuses('ann@example.org');
    assert.equal(await failing(mailer.send(mail)), ['status', 550]);
    await box.close();
    assert.equal(await failing(mailer.send(mail)), ['mail_unavailable', null]);
    await mailer.close();
  });

  test('a server that says nothing is left, also at the end', async () => {
    const server = createServer(socket => socket.on('error', () => undefined).on('data', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
    const ending = new AbortController();
    const first = failing(mailer.send(mail, ending.signal));
    const second = failing(mailer.send(mail));
    await once(server, 'connection');
    ending.abort();
    assert.equal(await first, ['mail_unavailable', null]);
    await mailer.close();
    assert.equal(await second, ['mail_unavailable', null]);
    server.close();
  });
});
