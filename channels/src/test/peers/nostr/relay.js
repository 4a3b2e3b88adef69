// A relay of @nostr-relay with its validator and its SQLite repository. Node's own SQLite stands in for better-sqlite3,
// which would have to be compiled: what that is asked here, node:sqlite can do under the same names.
//   node relay.js PORT FILE [HOSTNAME for NIP-42]
const { DatabaseSync } = require('node:sqlite');
const { NostrRelay } = require('@nostr-relay/core');
const { createOutgoingNoticeMessage } = require('@nostr-relay/common');
const { EventRepositorySqlite } = require('@nostr-relay/event-repository-sqlite');
const { Validator } = require('@nostr-relay/validator');
const { WebSocketServer } = require('ws');

class Database {
  constructor(file) {
    this.sqlite = new DatabaseSync(file);
  }

  prepare(sql) {
    const statement = this.sqlite.prepare(sql);
    const reader = /^\s*(select|with|pragma)\b|\breturning\b/i.test(sql);
    const list = args => (Array.isArray(args[0]) ? args[0] : args);
    return {
      reader,
      get: (...args) => statement.get(...list(args)),
      all: (...args) => statement.all(...list(args)),
      run: (...args) => statement.run(...list(args)),
      iterate: (...args) => statement.iterate(...list(args)),
    };
  }

  exec(sql) {
    this.sqlite.exec(sql);
  }

  close() {
    this.sqlite.close();
  }
}

async function main() {
  const [port, file, hostname] = process.argv.slice(2);
  const events = new EventRepositorySqlite(new Database(file));
  await events.init();
  const relay = new NostrRelay(events, { hostname });
  const validator = new Validator();
  const server = new WebSocketServer({ port: Number(port), host: '127.0.0.1' });
  server.on('connection', socket => {
    relay.handleConnection(socket);
    socket.on('message', async data => {
      try {
        await relay.handleMessage(socket, await validator.validateIncomingMessage(data));
      } catch (error) {
        socket.send(JSON.stringify(createOutgoingNoticeMessage(error.message)));
      }
    });
    socket.on('close', () => relay.handleDisconnect(socket));
    socket.on('error', () => socket.terminate());
  });
  server.on('listening', () => console.log('the relay is ready'));
}

main();
