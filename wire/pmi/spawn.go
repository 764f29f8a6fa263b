package pmi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSpawnBlock is wrapped by the errors of [SpawnBlock.Add].
var ErrSpawnBlock = errors.New("not a line of a spawn request")

// Keys of gompi's own in the info of a spawn request, beside those of MPI 5.0, 11.8.4.
const (
	DirKey    = "gompi_dir"         // working directory of the process that asks
	ParentKey = "GOMPI_PARENT_PORT" // among the values put ahead: where the new processes connect to
)

// SpawnBlock asks for one program: the lines from "mcmd=spawn" to "endcmd", one key=value each. A call that
// starts several programs sends one block for each of them and gets one answer.
type SpawnBlock struct {
	Program string
	Args    []string // after the program's name
	Ranks   int
	Index   int   // number among the blocks of the call, from 1
	Total   int   // number of blocks of the call
	Preputs []Arg // values that the new processes find among theirs; in the first block only
	Info    []Arg

	encoded bool   // values come as [Encode] makes them
	key     string // of the value that comes next
}

// encodingLine says that the values of a block are written as [Encode] makes them: only gompi's launcher
// reads it.
const encodingLine = "encoding=percent"

// Append adds the block to dst. With encode its texts may hold any bytes; otherwise none may hold a newline,
// and the error wraps [ErrBadText].
func (b *SpawnBlock) Append(dst []byte, encode bool) ([]byte, error) {
	out := append(dst, "mcmd=spawn\n"...)
	var bad error
	line := func(key, value string) {
		if encode {
			value = Encode(value)
		} else if strings.ContainsAny(value, "\n\x00") && bad == nil {
			bad = fmt.Errorf("%w: %s=%q", ErrBadText, key, clip(value))
		}
		out = append(append(append(append(out, key...), '='), value...), '\n')
	}
	pairs := func(name string, all []Arg) {
		line(name+"_num", strconv.Itoa(len(all)))
		for i, a := range all {
			line(name+"_key_"+strconv.Itoa(i), a.Key)
			line(name+"_val_"+strconv.Itoa(i), a.Value)
		}
	}
	if encode {
		out = append(out, encodingLine+"\n"...)
	}
	line("nprocs", strconv.Itoa(b.Ranks))
	line("execname", b.Program)
	line("totspawns", strconv.Itoa(b.Total))
	line("spawnssofar", strconv.Itoa(b.Index))
	for i, a := range b.Args {
		line("arg"+strconv.Itoa(i+1), a)
	}
	line("argcnt", strconv.Itoa(len(b.Args)))
	pairs("preput", b.Preputs)
	pairs("info", b.Info)
	out = append(out, "endcmd\n"...)
	if bad != nil {
		return dst, bad
	}
	return out, nil
}

// Add takes the next line after "mcmd=spawn", without its newline, and reports whether it was the last one.
// The error wraps [ErrSpawnBlock].
func (b *SpawnBlock) Add(line string) (done bool, err error) {
	line = strings.TrimRight(line, "\r")
	switch line {
	case "endcmd":
		return true, nil
	case encodingLine:
		b.encoded = true
		return false, nil
	}
	key, value, found := strings.Cut(line, "=")
	if !found {
		return false, fmt.Errorf("%w: %q", ErrSpawnBlock, clip(line))
	}
	if b.encoded {
		value = Decode(value)
	}
	switch {
	case key == "nprocs":
		b.Ranks, err = strconv.Atoi(value)
	case key == "totspawns":
		b.Total, err = strconv.Atoi(value)
	case key == "spawnssofar":
		b.Index, err = strconv.Atoi(value)
	case key == "execname":
		b.Program = value
	case strings.HasPrefix(key, "preput_key_"), strings.HasPrefix(key, "info_key_"):
		b.key = value
	case strings.HasPrefix(key, "preput_val_"):
		b.Preputs = append(b.Preputs, Arg{b.key, value})
	case strings.HasPrefix(key, "info_val_"):
		b.Info = append(b.Info, Arg{b.key, value})
	case strings.HasPrefix(key, "arg") && key != "argcnt":
		b.Args = append(b.Args, value)
	}
	if err != nil {
		return false, fmt.Errorf("%w: %q", ErrSpawnBlock, clip(line))
	}
	return false, nil
}

// Hint is the value of an info key, and whether there is one.
func (b *SpawnBlock) Hint(key string) (string, bool) {
	for i := len(b.Info) - 1; i >= 0; i-- {
		if b.Info[i].Key == key {
			return b.Info[i].Value, true
		}
	}
	return "", false
}
