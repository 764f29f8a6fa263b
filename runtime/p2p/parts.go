package p2p

// connect tells each part of the engine which others it works with.
func (e *Engine) connect() {
	c := &e.core
	e.queues.core = c
	e.waiting.core, e.waiting.transports = c, &e.transports
	e.observer.core = c

	e.flow.core, e.flow.queues, e.flow.protocols = c, &e.queues, &e.protocols

	e.protocols.failures = &e.failures

	u := &e.unexpected
	u.core, u.flow, u.queues, u.protocols, u.observer = c, &e.flow, &e.queues, &e.protocols, &e.observer

	e.records.core, e.records.transports, e.records.unexpected = c, &e.transports, &e.unexpected

	y := &e.copying
	y.core, y.transports, y.queues, y.protocols = c, &e.transports, &e.queues, &e.protocols
	y.records, y.failures = &e.records, &e.failures

	v := &e.inbound
	v.core, v.transports, v.queues, v.protocols = c, &e.transports, &e.queues, &e.protocols
	v.unexpected, v.records, v.copying = &e.unexpected, &e.records, &e.copying
	v.bridges, v.failures = &e.bridges, &e.failures

	s := &e.outbound
	s.core, s.transports, s.queues, s.flow, s.protocols = c, &e.transports, &e.queues, &e.flow, &e.protocols
	s.unexpected, s.inbound, s.failures, s.observer = &e.unexpected, &e.inbound, &e.failures, &e.observer

	b := &e.bridges
	b.core, b.transports, b.unexpected, b.records = c, &e.transports, &e.unexpected, &e.records
	b.copying, b.inbound = &e.copying, &e.inbound

	f := &e.failures
	f.core, f.transports, f.queues, f.unexpected = c, &e.transports, &e.queues, &e.unexpected
	f.records, f.inbound, f.bridges = &e.records, &e.inbound, &e.bridges

	t := &e.progressThread
	t.core, t.transports, t.queues, t.engine = c, &e.transports, &e.queues, e
}

// setArrivals says which part deals with each kind of packet, and which sends one that has waited for room.
func (e *Engine) setArrivals() {
	e.arrivals = [kinds]arrival{
		eager: e.arriveEager, announce: e.arriveAnnounce, fetched: e.arriveFetched,
		ask: e.arriveAsk, piece: e.arrivePiece,
		signature: e.arriveSignature, stop: e.arriveStop,
		withdraw: e.cancels.arriveWithdraw, withdrawn: e.cancels.arriveWithdrawn,
		am: e.AM.arrive,
	}
	answer := func(peer int, o *outgoing) (sent, done bool) { return once(e.tryAnswer(peer, o)) }
	e.departures = [kinds]departure{
		eager:   func(_ int, o *outgoing) (sent, done bool) { return once(e.launch(o.r)) },
		piece:   func(_ int, o *outgoing) (sent, done bool) { return e.push(o.r) },
		fetched: answer, ask: answer, withdraw: answer, withdrawn: answer, stop: answer,
		am: func(peer int, o *outgoing) (sent, done bool) { return e.AM.push(peer, o.x) },
	}
}

// once is what sending a single packet comes to: it is done when it has been sent.
func once(was bool) (sent, done bool) { return was, was }
