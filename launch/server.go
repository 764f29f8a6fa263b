package launch

import (
	"strconv"

	"gompi/launch/host"
	"gompi/launch/world"
	"gompi/wire/pmi"
)

// server answers what ranks say by the start-up protocol.
type server struct {
	job   *job
	names names // that ranks have published
}

// answer serves one line that a rank sent. An answer is one line; some commands have none. It returns false
// when the rank does not follow the protocol.
func (s *server) answer(r *world.Rank, line string) bool {
	c := r.Conn
	if s.job.up != nil {
		return s.job.relay(r, line)
	}
	if c.Inside {
		return s.job.spawns.spawnLine(r, line)
	}
	m, err := pmi.Parse(line)
	if err != nil {
		return false
	}
	if m.Multi {
		c.Spawn, c.Inside = append(c.Spawn, pmi.SpawnBlock{}), true
		c.Lines.Longest = pmi.MaxSpawnInput
		return m.Cmd == "spawn"
	}
	if !s.serve(r, &m) {
		// A later version of the protocol: the client must be told, or it waits for ever.
		c.Reply(m.Cmd, "rc", "-1", "msg", "unknown_command")
	}
	return true
}

// serve serves one command: the whole of PMI 1.1 as a server sees it, and what gompi's library says beyond
// it. It is false for one that it does not know.
func (s *server) serve(r *world.Rank, m *pmi.Message) bool {
	switch m.Cmd {
	case "init":
		s.greet(r, m)
	case "get_maxes":
		r.Conn.Reply("maxes", "rc", "0", "kvsname_max", strconv.Itoa(pmi.MaxKVSName), "keylen_max", strconv.Itoa(pmi.MaxKey),
			"vallen_max", strconv.Itoa(pmi.MaxValue))
	case "get_appnum":
		r.Conn.Reply("appnum", "rc", "0", "appnum", strconv.Itoa(r.App))
	case "get_universe_size":
		r.Conn.Reply("universe_size", "rc", "0", "size", strconv.Itoa(r.World.Universe))
	case "get_my_kvsname":
		r.Conn.Reply("my_kvsname", "rc", "0", "kvsname", r.World.KVSName)
	case "put":
		s.put(r, m)
	case "get":
		s.get(r, m)
	case "barrier_in":
		s.barrier(r)
	case "finalize":
		r.Finalized, r.Links = true, nil
		r.Conn.Reply("finalize_ack", "rc", "0")
	case "abort":
		s.abort(r, m)
	case "publish_name":
		s.publish(r, m)
	case "lookup_name":
		s.lookupName(r, m)
	case "unpublish_name":
		s.unpublish(r, m)
	case "gompi_network":
		s.job.useNetwork(r.World)
	case "gompi_rest":
		s.job.rest(r)
	case "gompi_linked", "gompi_parted":
		s.job.spawns.link(r, m, m.Cmd == "gompi_linked")
	default:
		return false
	}
	return true
}

// greet begins the protocol with a rank.
func (s *server) greet(r *world.Rank, m *pmi.Message) {
	if v, err := m.Int("pmi_version"); err != nil || v != pmi.Version {
		r.Conn.Reply("response_to_init", "rc", "-1", "pmi_version", "1", "pmi_subversion", "1", "msg", "this_server_speaks_PMI_1.1")
		return
	}
	s.job.begin(r)
	r.Conn.Reply("response_to_init", "rc", "0", "pmi_version", "1", "pmi_subversion", "1")
}

func (s *server) put(r *world.Rank, m *pmi.Message) {
	name, _ := m.Get("kvsname")
	key, ok := m.Get("key")
	value, _ := m.Get("value")
	switch w := s.job.WorldByKVS(name); {
	case w == nil:
		r.Conn.Reply("put_result", "rc", "-1", "msg", "no_such_kvs")
	case !ok || key == "" || len(key) > pmi.MaxKey || len(value) > pmi.MaxValue:
		r.Conn.Reply("put_result", "rc", "-1", "msg", "key_or_value_of_a_wrong_length")
	default:
		w.Put(key, value)
		r.Conn.Reply("put_result", "rc", "0", "msg", "success")
	}
}

func (s *server) get(r *world.Rank, m *pmi.Message) {
	name, _ := m.Get("kvsname")
	key, _ := m.Get("key")
	w := s.job.WorldByKVS(name)
	if w == nil {
		r.Conn.Reply("get_result", "rc", "-1", "msg", "no_such_kvs")
		return
	}
	value, found := w.Values[key]
	if !found {
		r.Conn.Reply("get_result", "rc", "-1", "msg", "key_not_found")
		return
	}
	r.Conn.Reply("get_result", "rc", "0", "msg", "success", "value", value)
}

func (s *server) barrier(r *world.Rank) {
	w := r.World
	if !w.Arrive(1) {
		return
	}
	if s.job.up != nil {
		s.job.up.send(&host.Frame{Kind: host.FrameArrived, World: w.ID})
		return
	}
	s.release(w)
}

// release lets the ranks of a world go on that are at the barrier, and tells other hosts what has been put.
func (s *server) release(w *world.World) {
	if w.Abroad() {
		var p host.Packer
		host.PackValues(&p, w.Fresh)
		w.Tell(&host.Frame{Kind: host.FrameRelease, Body: p})
	}
	clear(w.Fresh)
	for _, member := range w.Ranks {
		if !member.Away() {
			member.Conn.Reply("barrier_out", "rc", "0")
		}
	}
}

func (s *server) abort(r *world.Rank, m *pmi.Message) {
	code, err := m.Int("exitcode")
	if err != nil {
		code = 1
	}
	text, _ := m.Get("message")
	if own, ok := m.Get("text"); ok {
		text = pmi.Decode(own) // gompi's library
	}
	s.hearDeaths(r)
	if r.World.Failing {
		return
	}
	_, told := m.Get("told")
	s.job.aborted(r, code, text, told)
}

// hearDeaths hears of the ranks that have ended before this one ends the job: perhaps that is why it does,
// and they are to be named. One that has asked for the same is not: its own request, which is being dealt
// with, says why it has ended.
func (s *server) hearDeaths(r *world.Rank) {
	r.Aborting = true
	for _, other := range s.job.Ranks {
		if !other.Aborting && other.Child() {
			s.job.reap(other)
		}
	}
}

func (s *server) publish(r *world.Rank, m *pmi.Message) {
	service, _ := m.Get("service")
	port, ok := m.Get("port")
	if service == "" || !ok || !s.names.publish(service, port) {
		r.Conn.Reply("publish_result", "info", "error", "rc", "-1", "msg", "the_name_is_published_already")
		return
	}
	r.Conn.Reply("publish_result", "info", "ok", "rc", "0", "msg", "success")
}

func (s *server) lookupName(r *world.Rank, m *pmi.Message) {
	service, _ := m.Get("service")
	port, found := s.names[service]
	if !found {
		r.Conn.Reply("lookup_result", "info", "error", "rc", "-1", "msg", "no_such_service")
		return
	}
	r.Conn.Reply("lookup_result", "info", "ok", "rc", "0", "msg", "success", "port", port)
}

func (s *server) unpublish(r *world.Rank, m *pmi.Message) {
	service, _ := m.Get("service")
	if !s.names.unpublish(service) {
		r.Conn.Reply("unpublish_result", "info", "error", "rc", "-1", "msg", "no_such_service")
		return
	}
	r.Conn.Reply("unpublish_result", "info", "ok", "rc", "0", "msg", "success")
}
