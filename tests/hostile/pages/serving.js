const port = location.search.slice(1);
self.onactivate = (event) => event.waitUntil(clients.claim());
self.onmessage = (event) => {
  fetch(`http://localhost:${port}/part-service`, {mode: 'no-cors'})
    .then(() => event.source.postMessage('service'), () => event.source.postMessage('no service'));
};
