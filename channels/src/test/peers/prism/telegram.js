// A Telegram that somebody else wrote, with a proxy in front that refuses what the published contract does not allow.
'use strict';
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const TelegramServer = require('telegram-test-api');

const port = process.argv[2];

function freePort() {
  return new Promise((resolve) => {
    const socket = net.createServer().listen(0, '127.0.0.1', () => {
      const free = socket.address().port;
      socket.close(() => resolve(free));
    });
  });
}

async function main() {
  const behind = await freePort();
  const server = new TelegramServer({ port: behind, host: '127.0.0.1', storage: 'RAM', storeTimeout: 600 });
  await server.start();
  console.log(`behind http://127.0.0.1:${behind}`);
  const prism = path.join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const contract = path.join(__dirname, 'telegram.openapi.json');
  const proxy = spawn(process.execPath, [prism, 'proxy', contract, `http://127.0.0.1:${behind}`, '-h', '127.0.0.1', '-p', port, '--errors']);
  proxy.stdout.on('data', (text) => process.stdout.write(text));
  proxy.stderr.on('data', (text) => process.stdout.write(text));
  process.on('SIGTERM', () => { proxy.kill(); process.exit(0); });
}

main();
