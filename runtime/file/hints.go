package file

import (
	"strconv"
	"strings"

	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// The hints that are understood (MPI 5.0, 14.2.8), and the names that ROMIO gave to those of the same
// meaning. Hints on striping and on the devices are kept and told, for programs that look at them; the file
// systems of one machine have no use for them.
const (
	hintCollectiveBuffering = "collective_buffering"
	hintBufferSize          = "cb_buffer_size"
	hintAggregators         = "cb_nodes"
	hintTwoPhaseRead        = "romio_cb_read"
	hintTwoPhaseWrite       = "romio_cb_write"
	hintSieveRead           = "romio_ds_read"
	hintSieveWrite          = "romio_ds_write"
	hintSieveReadSize       = "ind_rd_buffer_size"
	hintSieveWriteSize      = "ind_wr_buffer_size"
	hintMapping             = "gompi_mapping"
	hintStripe              = "striping_unit"
	hintPermissions         = "file_perm"
)

const (
	defaultBufferSize = 16 << 20 // of an aggregator, in bytes
	defaultReadSieve  = 4 << 20  // bytes read at once where the data is in small pieces
	defaultWriteSieve = 512 << 10
	largestBuffer     = 1 << 30
)

// known is a function, because an array of functions would be a variable.
func known() []object.Hint {
	return []object.Hint{
		{Key: "access_style"},
		{Key: hintCollectiveBuffering, Valid: object.Truth},
		{Key: "cb_block_size", Valid: positive},
		{Key: hintBufferSize, Default: strconv.Itoa(defaultBufferSize), Valid: positive},
		{Key: hintAggregators, Valid: positive},
		{Key: "cb_config_list"},
		{Key: "chunked"},
		{Key: "chunked_item"},
		{Key: "chunked_size"},
		{Key: "filename"},
		{Key: hintPermissions, Valid: octal},
		{Key: "io_node_list"},
		{Key: "nb_proc", Valid: positive},
		{Key: "num_io_nodes", Valid: positive},
		{Key: "striping_factor", Valid: positive},
		{Key: hintStripe, Valid: positive},
		{Key: hintTwoPhaseRead, Default: "automatic", Valid: choice},
		{Key: hintTwoPhaseWrite, Default: "automatic", Valid: choice},
		{Key: hintSieveRead, Default: "automatic", Valid: choice},
		{Key: hintSieveWrite, Default: "automatic", Valid: choice},
		{Key: hintSieveReadSize, Default: strconv.Itoa(defaultReadSieve), Valid: positive},
		{Key: hintSieveWriteSize, Default: strconv.Itoa(defaultWriteSieve), Valid: positive},
		{Key: hintMapping, Default: "automatic", Valid: choice},
	}
}

func positive(v string) bool {
	n, err := strconv.ParseInt(v, 10, 64)
	return err == nil && n > 0
}

func octal(v string) bool {
	n, err := strconv.ParseUint(v, 8, 32)
	return err == nil && n <= 0o7777
}

func choice(v string) bool {
	v = strings.ToLower(v)
	return v == "enable" || v == "disable" || v == "automatic"
}

// switches is a hint that forces something, forbids it, or leaves it to the library.
type switches int8

const (
	automatic switches = iota
	enable
	disable
)

func (f *File) choose(key string) switches {
	v, _ := f.Hint(key)
	switch strings.ToLower(v) {
	case "enable", "true":
		return enable
	case "disable", "false":
		return disable
	}
	return automatic
}

func (f *File) number(key string, otherwise int64) int64 {
	if v, ok := f.Hint(key); ok {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n
		}
	}
	return otherwise
}

// plan is what the hints come to.
type plan struct {
	twoPhaseRead, twoPhaseWrite switches
	sieveRead, sieveWrite       switches
	mapping                     switches
	readSieve, writeSieve       int64 // bytes
	buffer                      int64 // of an aggregator
	aggregators                 int
	stripe                      int64 // bytes to whose multiples file domains are aligned
}

// takeHints takes over hints, nil for none, and works out what they come to.
func (f *File) takeHints(i *info.Info) {
	f.SetHints(known(), i)
	p := &plan{
		twoPhaseRead: f.choose(hintTwoPhaseRead), twoPhaseWrite: f.choose(hintTwoPhaseWrite),
		sieveRead: f.choose(hintSieveRead), sieveWrite: f.choose(hintSieveWrite),
		mapping:    f.choose(hintMapping),
		readSieve:  min(f.number(hintSieveReadSize, defaultReadSieve), largestBuffer),
		writeSieve: min(f.number(hintSieveWriteSize, defaultWriteSieve), largestBuffer),
		buffer:     pages(min(f.number(hintBufferSize, defaultBufferSize), largestBuffer)),
		stripe:     pages(min(f.number(hintStripe, pageSize), largestBuffer)),
	}
	if f.choose(hintCollectiveBuffering) == disable {
		p.twoPhaseRead, p.twoPhaseWrite = disable, disable
	}
	p.aggregators = int(min(f.number(hintAggregators,
		int64((f.size+ranksPerAggregator-1)/ranksPerAggregator)), int64(f.size)))
	f.storage.hints.Store(p)
}

// ranksPerAggregator is how many ranks share an aggregator: more aggregators would wait for each other in the
// file system, which lets one write to a file at a time.
const ranksPerAggregator = 4

const pageSize = 4096

// pages rounds up to whole pages.
func pages(n int64) int64 { return (n + pageSize - 1) &^ (pageSize - 1) }

// settle makes the hints of rank 0 count where ranks have to do the same. own is an error of this rank's.
func (f *File) settle(own error) error {
	p := *f.storage.hints.Load()
	if f.size == 1 {
		return own
	}
	mine := words{int64(mpierr.CodeOf(own)),
		int64(p.twoPhaseRead) | int64(p.twoPhaseWrite)<<8 | int64(p.mapping)<<16 | int64(p.aggregators)<<24,
		p.buffer, p.stripe}
	o, err := f.barrier.wait(&mine, func(b *fileBarrier) outcome {
		if o := firstFailure(b); o[0] != 0 {
			return o
		}
		return outcome{0, b.word(0, 1), b.word(0, 2), b.word(0, 3)}
	})
	if err := f.barrier.verdict(own, o, err); err != nil {
		return err
	}
	p.twoPhaseRead, p.twoPhaseWrite, p.mapping = switches(o[1]), switches(o[1]>>8), switches(o[1]>>16)
	p.aggregators, p.buffer, p.stripe = int(o[1]>>24), o[2], o[3]
	f.storage.hints.Store(&p)
	return nil
}

// SetInfo takes over further hints (MPI_File_set_info, collective).
func (f *File) SetInfo(i *info.Info) error {
	f.takeHints(i)
	return f.settle(nil)
}

// Info lists the hints in force (MPI_File_get_info).
func (f *File) Info() *info.Info { return f.Hints(known) }
