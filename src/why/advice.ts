import type { Reason } from '../page/reason.ts';
import { domainOf, hostOf } from '../url/host.ts';

/** What is known of the page that a person asks about. */
export interface Stopped {
  readonly reason: Reason;
  readonly url: string;
  /** Where it redirects to, '' when it does not. */
  readonly target: string;
}

/** What a person can do about a page that ended so: one sentence, or '' where all is well or nothing can be done. */
export function adviceFor({ reason, url, target }: Stopped): string {
  switch (reason) {
    case 'redirect-rejected':
    case 'out-of-scope': {
      const other = reason === 'out-of-scope' ? url : target;
      if (other === '') return 'Name the address it leads to as a seed, or widen the scope with --scope.';
      const wider = domainOf(hostOf(other)) === domainOf(hostOf(url)) && reason === 'redirect-rejected';
      return `Name ${other} as a seed${wider ? ', or widen the scope with --scope domain' : reason === 'out-of-scope' ? ', or widen the scope with --scope domain or any' : ''}.`;
    }
    case 'redirect-invalid':
    case 'redirect-loop':
    case 'too-many-redirects':
      return 'Open it in a browser, and name the address where you end up.';
    case 'http-401':
      return 'Give a name and a password with net.login.';
    case 'http-403':
      return 'Some sites refuse crawlers they do not know: say who you are with --agent, or ask its owner.';
    case 'http-404':
    case 'http-410':
      return 'Check the address in a browser.';
    case 'http-429':
      return 'Ask more slowly, with a longer --delay; it is tried again later.';
    case 'http-4xx':
    case 'http-other':
      return 'Check the address in a browser.';
    case 'http-5xx':
      return 'Run the same command again later; what is due is tried again.';
    case 'robots-denied':
      return 'Ask the owner of the site; if that is you, set net.robots to ignore.';
    case 'crawl-delay':
      return 'Raise net.maxDelay to wait that long.';
    case 'robots-unreachable':
      return 'Run the same command again later; robots.txt is asked for anew.';
    case 'dns':
      return 'Check the spelling of the host, and that this machine reaches the network.';
    case 'connect':
      return 'Check host and port, and that the server runs and lets this machine in.';
    case 'tls':
      return 'Check scheme and port; for a certificate of your own authority set NODE_EXTRA_CA_CERTS, or ca of the host in net.hosts.';
    case 'timeout':
      return 'Run the same command again later, or allow more time with net.timeout and net.firstByteTimeout.';
    case 'reset':
      return 'Run the same command again later; what is due is tried again.';
    case 'protocol':
      return 'Check the port: what listens there does not speak HTTP as it should.';
    case 'address-refused':
      return 'If that is intended, name the host in net.allowPrivate.';
    case 'outside-root':
      return 'Name its folder as a seed, or in scope.files.';
    case 'unreadable':
      return 'Check the rights of the file and of its folders.';
    case 'too-large':
      return 'Raise net.maxBody.';
    case 'host-failing':
    case 'interrupted':
    case 'time-limit':
    case 'too-slow':
      return 'Run the same command again; what is due is fetched.';
    case 'links-only':
      return 'Crawl it again with --set index.linksOnly=false once it is due, or into another folder.';
    case 'noindex':
      return 'Take the noindex out of the page or its headers.';
    case 'canonical':
      return 'Look for the canonical address instead.';
    case 'empty':
      return 'Its text may be made by scripts, which are not run; nuthatch readseg with the address shows what was read.';
    case 'parse-died':
    case 'parse-failed':
    case 'bad-encoding':
      return 'nuthatch readseg with the address shows what was read.';
    case 'filtered':
      return 'Change the rule in scope.filters or scope.filterSets.';
    case 'trap':
      return 'If it is a real page, raise scope.maxSegments, scope.maxParams or scope.maxRepeats.';
    case 'url-too-long':
      return 'Raise scope.maxUrl.';
    case 'too-deep':
      return 'Raise --depth, or name the page as a seed.';
    case 'nofollow':
      return 'Name it as a seed.';
    case 'forgotten':
    case 'unlinked':
      return 'Name it as a seed, or link to it from a page of the crawl.';
    case 'scheme-refused':
    case 'url-invalid':
      return 'An address begins with http:// or https://, a path with / or ./.';
    default:
      return '';
  }
}
