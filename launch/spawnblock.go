package launch

import (
	"strconv"
	"strings"
)

// spawnBlock collects the lines of one mcmd=spawn request: one key=value per line, up to "endcmd". A call that
// spawns several programs sends one block per program.
type spawnBlock struct {
	program  string
	ranks    int
	total    int // blocks in the call
	index    int // this block's place among them, from 1
	args     []string
	preputs  map[string]string
	info     map[string]string
	pendingK string // the key whose value comes next
}

// add takes one line and tells whether the block is complete.
func (b *spawnBlock) add(line string) bool {
	line = strings.TrimRight(line, "\r")
	if line == "endcmd" {
		return true
	}
	key, value, _ := strings.Cut(line, "=")
	number := func() int {
		n, err := strconv.Atoi(value)
		if err != nil {
			return 0
		}
		return n
	}
	switch {
	case key == "nprocs":
		b.ranks = number()
	case key == "execname":
		b.program = value
	case key == "totspawns":
		b.total = number()
	case key == "spawnssofar":
		b.index = number()
	case strings.HasPrefix(key, "preput_key_"), strings.HasPrefix(key, "info_key_"):
		b.pendingK = value
	case strings.HasPrefix(key, "preput_val_"):
		b.preputs = enter(b.preputs, b.pendingK, value)
	case strings.HasPrefix(key, "info_val_"):
		b.info = enter(b.info, b.pendingK, value)
	case strings.HasPrefix(key, "arg") && key != "argcnt":
		b.args = append(b.args, value)
	}
	return false
}

func enter(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// spawn answers a complete block. Starting further programs from within a job is refused, with the reason in the
// reply: the caller turns it into MPI_ERR_SPAWN.
func (j *job) spawn(r *rank, b *spawnBlock) {
	if b.index < b.total {
		return // the answer comes after the last block
	}
	r.conn.reply("spawn_result", "rc", "-1", "msg", "this_launcher_starts_no_further_programs")
}
