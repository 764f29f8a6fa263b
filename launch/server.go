package launch

import (
	"strconv"

	"gompi/launch/host"
	"gompi/wire/pmi"
)

// answer serves one line that a rank sent. An answer is one line; some commands have none. It returns false
// when the rank does not follow the protocol.
func (j *job) answer(r *rank, line string) bool {
	c := r.conn
	if j.up != nil {
		return j.relay(r, line)
	}
	if c.inside {
		return j.spawnLine(r, line)
	}
	m, err := pmi.Parse(line)
	if err != nil {
		return false
	}
	if m.Multi {
		c.spawn, c.inside = append(c.spawn, pmi.SpawnBlock{}), true
		c.lines.Longest = pmi.MaxSpawnInput
		return m.Cmd == "spawn"
	}
	if !j.serve(r, &m) {
		// A later version of the protocol: the client must be told, or it waits for ever.
		c.reply(m.Cmd, "rc", "-1", "msg", "unknown_command")
	}
	return true
}

// serve serves one command: the whole of PMI 1.1 as a server sees it, and what gompi's library says beyond
// it. It is false for one that it does not know.
func (j *job) serve(r *rank, m *pmi.Message) bool {
	switch m.Cmd {
	case "init":
		j.greet(r, m)
	case "get_maxes":
		r.conn.reply("maxes", "rc", "0", "kvsname_max", strconv.Itoa(pmi.MaxKVSName), "keylen_max", strconv.Itoa(pmi.MaxKey),
			"vallen_max", strconv.Itoa(pmi.MaxValue))
	case "get_appnum":
		r.conn.reply("appnum", "rc", "0", "appnum", strconv.Itoa(r.app))
	case "get_universe_size":
		r.conn.reply("universe_size", "rc", "0", "size", strconv.Itoa(r.world.universe))
	case "get_my_kvsname":
		r.conn.reply("my_kvsname", "rc", "0", "kvsname", r.world.kvsName)
	case "put":
		j.put(r, m)
	case "get":
		j.get(r, m)
	case "barrier_in":
		j.barrier(r)
	case "finalize":
		r.finalized, r.links = true, nil
		r.conn.reply("finalize_ack", "rc", "0")
	case "abort":
		j.abort(r, m)
	case "publish_name":
		j.publish(r, m)
	case "lookup_name":
		j.lookupName(r, m)
	case "unpublish_name":
		j.unpublish(r, m)
	case "gompi_network":
		j.useNetwork(r.world)
	case "gompi_rest":
		j.rest(r)
	case "gompi_linked", "gompi_parted":
		j.link(r, m, m.Cmd == "gompi_linked")
	default:
		return false
	}
	return true
}

// greet begins the protocol with a rank.
func (j *job) greet(r *rank, m *pmi.Message) {
	if v, err := m.Int("pmi_version"); err != nil || v != pmi.Version {
		r.conn.reply("response_to_init", "rc", "-1", "pmi_version", "1", "pmi_subversion", "1", "msg", "this_server_speaks_PMI_1.1")
		return
	}
	j.begin(r)
	r.conn.reply("response_to_init", "rc", "0", "pmi_version", "1", "pmi_subversion", "1")
}

func (j *job) put(r *rank, m *pmi.Message) {
	name, _ := m.Get("kvsname")
	key, ok := m.Get("key")
	value, _ := m.Get("value")
	switch w := j.worldByKVS(name); {
	case w == nil:
		r.conn.reply("put_result", "rc", "-1", "msg", "no_such_kvs")
	case !ok || key == "" || len(key) > pmi.MaxKey || len(value) > pmi.MaxValue:
		r.conn.reply("put_result", "rc", "-1", "msg", "key_or_value_of_a_wrong_length")
	default:
		w.put(key, value)
		r.conn.reply("put_result", "rc", "0", "msg", "success")
	}
}

func (j *job) get(r *rank, m *pmi.Message) {
	name, _ := m.Get("kvsname")
	key, _ := m.Get("key")
	w := j.worldByKVS(name)
	if w == nil {
		r.conn.reply("get_result", "rc", "-1", "msg", "no_such_kvs")
		return
	}
	value, found := w.kvs[key]
	if !found {
		r.conn.reply("get_result", "rc", "-1", "msg", "key_not_found")
		return
	}
	r.conn.reply("get_result", "rc", "0", "msg", "success", "value", value)
}

func (j *job) barrier(r *rank) {
	w := r.world
	if !w.arrive(1) {
		return
	}
	if j.up != nil {
		j.up.send(&host.Frame{Kind: host.FrameArrived, World: w.id})
		return
	}
	j.release(w)
}

// release lets the ranks of a world go on that are at the barrier, and tells other hosts what has been put.
func (j *job) release(w *world) {
	if w.abroad() {
		var p host.Packer
		host.PackValues(&p, w.fresh)
		w.tell(&host.Frame{Kind: host.FrameRelease, Body: p})
	}
	clear(w.fresh)
	for _, member := range w.ranks {
		if !member.away() {
			member.conn.reply("barrier_out", "rc", "0")
		}
	}
}

func (j *job) abort(r *rank, m *pmi.Message) {
	code, err := m.Int("exitcode")
	if err != nil {
		code = 1
	}
	text, _ := m.Get("message")
	if own, ok := m.Get("text"); ok {
		text = pmi.Decode(own) // gompi's library
	}
	j.hearDeaths(r)
	if r.world.failing {
		return
	}
	_, told := m.Get("told")
	j.aborted(r, code, text, told)
}

// hearDeaths hears of the ranks that have ended before this one ends the job: perhaps that is why it does,
// and they are to be named. One that has asked for the same is not: its own request, which is being dealt
// with, says why it has ended.
func (j *job) hearDeaths(r *rank) {
	r.aborting = true
	for _, other := range j.ranks {
		if !other.aborting && other.child() {
			j.reap(other)
		}
	}
}

func (j *job) publish(r *rank, m *pmi.Message) {
	service, _ := m.Get("service")
	port, ok := m.Get("port")
	if service == "" || !ok || !j.names.publish(service, port) {
		r.conn.reply("publish_result", "info", "error", "rc", "-1", "msg", "the_name_is_published_already")
		return
	}
	r.conn.reply("publish_result", "info", "ok", "rc", "0", "msg", "success")
}

func (j *job) lookupName(r *rank, m *pmi.Message) {
	service, _ := m.Get("service")
	port, found := j.names[service]
	if !found {
		r.conn.reply("lookup_result", "info", "error", "rc", "-1", "msg", "no_such_service")
		return
	}
	r.conn.reply("lookup_result", "info", "ok", "rc", "0", "msg", "success", "port", port)
}

func (j *job) unpublish(r *rank, m *pmi.Message) {
	service, _ := m.Get("service")
	if !j.names.unpublish(service) {
		r.conn.reply("unpublish_result", "info", "error", "rc", "-1", "msg", "no_such_service")
		return
	}
	r.conn.reply("unpublish_result", "info", "ok", "rc", "0", "msg", "success")
}

// worldByKVS finds a world by the name of its values; nil when there is none.
func (j *job) worldByKVS(name string) *world {
	for _, w := range j.worlds {
		if w.kvsName == name {
			return w
		}
	}
	return nil
}
