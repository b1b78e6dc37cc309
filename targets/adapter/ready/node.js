// Adapts one function of an npm package: DIR PACKAGE FUNCTION.
'use strict';
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');
const { pathToFileURL } = require('url');

const [dir, name, what] = process.argv.slice(1);
const home = path.join(dir, 'node_modules', name);
const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));

async function load() {
  const need = createRequire(pathToFileURL(path.join(dir, 'index.js')));
  try {
    return need(name);
  } catch (e) {
    if (e.code !== 'ERR_REQUIRE_ESM' && e.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw e;
    const { exports } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
    const main = exports['.'].import || exports['.'];
    return import(pathToFileURL(path.join(home, main.default || main)));
  }
}

function piece(token) {
  const [kind, text] = typeof token === 'string' ? ['w', token]
    : 'comment' in token ? ['c', token.comment]
    : token.op === 'glob' ? ['g', token.pattern]
    : ['o', token.op];
  return `${kind} ${Buffer.byteLength(text)}\n${text}\n`;
}

// Each function takes a string and returns the body of an answer.
const makers = {
  'shell-quote quote': (m) => (s) => m.quote([s]),
  'shell-quote parse': (m) => (s) => m.parse(s).map(piece).join(''),
  'shell-escape quote': (m) => (s) => m([s]),
  'any-shell-escape quote': (m) => (s) => m([s]),
  'shescape quote': (m) => {
    if (!m.Shescape) return (s) => (m.quote || m.default.quote)(s, { shell: 'bash' }); // before 2.0
    const bash = new m.Shescape({ shell: 'bash' });
    return (s) => bash.quote(s);
  },
};

// Strings are UTF-16: other bytes would arrive replaced, so they are refused.
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function frame(id, kind, body) {
  return Buffer.concat([Buffer.from(`${id} ${kind} ${body.length}\n`), body, Buffer.from('\n')]);
}

function answer(id, input, call, kind) {
  try {
    return frame(id, kind, Buffer.from(call(text.decode(input))));
  } catch (e) {
    const why = e.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not UTF-8' : e.message;
    return frame(id, 'n', Buffer.from(why));
  }
}

load().then((m) => {
  const call = makers[`${name} ${what}`](m);
  const [role, kind] = what === 'parse' ? ['splitter', 'l'] : ['quoter', 't'];
  process.stdout.write(`argvdiff-adapter 1 ${role} ${name} ${version} (node ${process.versions.node})\n`);
  let had = Buffer.alloc(0);
  process.stdin.on('data', (more) => {
    had = Buffer.concat([had, more]);
    const out = [];
    let at = 0;
    for (;;) {
      const end = had.indexOf(10, at);
      if (end < 0) break;
      const [id, , length] = had.toString('latin1', at, end).split(' ');
      const next = end + 1 + Number(length) + 1;
      if (next > had.length) break;
      out.push(answer(id, had.subarray(end + 1, next - 1), call, kind));
      at = next;
    }
    had = had.subarray(at);
    process.stdout.write(Buffer.concat(out));
  });
});
