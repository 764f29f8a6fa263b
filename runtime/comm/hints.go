package comm

import "gompi/runtime/info"

// hints are the hints of a communicator that are understood, with their defaults: promises of the program's that
// allow shortcuts (MPI 5.0, 7.4.4).
var hints = [...]struct{ key, value string }{
	{"mpi_assert_no_any_tag", "false"},
	{"mpi_assert_no_any_source", "false"},
	{"mpi_assert_exact_length", "false"},
	{"mpi_assert_allow_overtaking", "false"},
}

// SetHints takes over those of the hints that are understood, and have a value that is (MPI_Comm_set_info). hints may
// be nil.
func (c *Comm) SetHints(from *info.Info) {
	if from == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hints == nil {
		c.hints = new(info.Info)
	}
	for _, h := range hints {
		if v, ok, err := from.Get(h.key); err == nil && ok && (v == "true" || v == "false") {
			_ = c.hints.Set(h.key, v) // key and value are within their limits
		}
	}
}

// Hints lists the hints in force, those with their default value included (MPI_Comm_get_info).
func (c *Comm) Hints() *info.Info {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := new(info.Info)
	for _, h := range hints {
		v := h.value
		if c.hints != nil {
			if set, ok, err := c.hints.Get(h.key); err == nil && ok {
				v = set
			}
		}
		_ = all.Set(h.key, v) // within the limits
	}
	return all
}
