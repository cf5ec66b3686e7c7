import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { challengesOf, digest, Logins } from '../../../src/net/login.ts';

const Login = suite('login');

Login('the example of RFC 7616 comes out as it stands there, with both hashes', () => {
  const lines = [
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  ];
  const [sha, md5] = challengesOf(lines);
  const responses = [sha!, md5!].map((challenge) => {
    challenge.count = 1;
    const header = digest(
      challenge,
      'Mufasa',
      'Circle of Life',
      'GET',
      '/dir/index.html',
      'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    );
    return /response="(\w+)"/.exec(header)![1];
  });
  assert.equal(responses, [
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    '8ca523f5e9506fed4657c9700eebdbec',
  ]);
});

Login('challenges on one line are told apart, and those beyond us are left', () => {
  const schemes = (line: string): string[] => challengesOf([line]).map((one) => one.scheme);
  assert.equal(schemes('Basic realm="a, b", Digest realm="c", nonce="d"'), ['basic', 'digest']);
  assert.equal(schemes('Negotiate, NTLM, Basic realm="x"'), ['basic']);
  assert.equal(schemes('Digest realm="c", nonce="d", algorithm=SHA-512-256'), []);
  assert.equal(schemes('Bearer realm="x"'), []);
});

Login('a password goes to its origin alone, and only where it is asked for', () => {
  const logins = new Logins({ 'https://wiki.example': { user: 'me', password: 'sesame' } });
  const wiki = new URL('https://wiki.example/a');
  assert.is(logins.authorization(wiki), '');
  assert.ok(logins.challenged(wiki, ['Basic realm="x"']));
  assert.is(logins.authorization(wiki), `Basic ${Buffer.from('me:sesame').toString('base64')}`);
  assert.not(logins.challenged(wiki, ['Basic realm="x"']), 'the password was wrong: once is enough');
  for (const other of ['http://wiki.example/a', 'https://wiki.example:8443/a', 'https://www.wiki.example/a']) {
    assert.not(logins.challenged(new URL(other), ['Basic realm="x"']));
    assert.is(logins.authorization(new URL(other)), '');
  }
});

Login.run();
